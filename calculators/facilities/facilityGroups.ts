import { compareText } from '../../data/contract/values/compareText.ts';
import { localName, type StatedFact } from '../crypto/statedFacts.ts';
import { isAmountOwed, principalsOf } from './facilityDrawn.ts';
import { isPledgedCoins, isSubject, namesLoan, otherMember } from './loanFacts.ts';

/** How names and facts of one loan were brought together (M16.3). */
export type Join = 'principal' | 'undimensioned_amount' | 'equal_coins' | 'collateral_amount';

/** The facts of one loan under its names; a line of the balance sheet has no member. */
export type FacilityGroup = {
  /** Members as filed, sorted. */
  readonly members: readonly string[];
  readonly facts: readonly StatedFact[];
  readonly joins: readonly Join[];
  readonly notes: readonly string[];
};

/**
 * Groups facts by the loan their members name: members of one fact are one loan (M16.2, M16.3), and so are two names
 * that state the same principal.
 */
export function memberGroups(facts: readonly StatedFact[]): readonly FacilityGroup[] {
  const members = loanMembers(facts);
  const union = disjointSets();
  for (const { dimensions } of facts) {
    const own = dimensions.map(({ member }) => member).filter((member) => members.has(member));
    for (const member of own) union.join(member, own[0] ?? member);
  }
  const byRoot = new Map<string, StatedFact[]>();
  for (const fact of facts) {
    const member = fact.dimensions.map((dimension) => dimension.member).find((each) => members.has(each));
    if (member === undefined) continue;
    const root = union.rootOf(member);
    const group = byRoot.get(root);
    if (group === undefined) byRoot.set(root, [fact]);
    else group.push(fact);
  }
  const groups = [...byRoot].map(([root, own]) => ({
    members: [...members].filter((member) => union.rootOf(member) === root).sort(compareText),
    facts: own,
    joins: [],
    notes: [],
  }));
  return samePrincipals(groups.toSorted(byId));
}

/** Several groups as one. */
export function joined(groups: readonly FacilityGroup[], by: Join): FacilityGroup {
  return {
    members: groups.flatMap(({ members }) => members).sort(compareText),
    facts: groups.flatMap(({ facts }) => facts),
    joins: [...new Set([...groups.flatMap(({ joins }) => joins), by])],
    notes: [...new Set(groups.flatMap(({ notes }) => notes))],
  };
}

/** Members that name a loan, and those of any name under which a principal and pledged coins are both stated. */
function loanMembers(facts: readonly StatedFact[]): ReadonlySet<string> {
  const named = new Set<string>();
  const owing = new Set<string>();
  const pledging = new Set<string>();
  for (const fact of facts) {
    for (const dimension of fact.dimensions) {
      const { member } = dimension;
      if (dimension.typed || !isSubject(dimension)) continue;
      if (namesLoan(dimension)) named.add(member);
      if (otherMember.test(localName(member))) continue;
      if (isAmountOwed(fact)) owing.add(member);
      if (isPledgedCoins(fact)) pledging.add(member);
    }
  }
  return new Set([...named, ...[...owing].filter((member) => pledging.has(member))]);
}

/** Joins two groups of one principal; one that three or more share proves nothing (M16.3). */
function samePrincipals(groups: readonly FacilityGroup[]): readonly FacilityGroup[] {
  const holders = new Map<string, number[]>();
  groups.forEach(({ facts }, index) => {
    for (const principal of principalsOf(facts)) {
      holders.set(principal, [...(holders.get(principal) ?? []), index]);
    }
  });
  const union = disjointSets();
  const ambiguous = new Set<number>();
  for (const held of holders.values()) {
    const [first = 0, second] = held;
    if (held.length === 2 && second !== undefined) union.join(String(first), String(second));
    if (held.length > 2) for (const index of held) ambiguous.add(index);
  }
  const sets = Map.groupBy(groups.keys(), (index) => union.rootOf(String(index)));
  return [...sets.values()].flatMap((indexes) => {
    const own = indexes.flatMap((index) => {
      const group = groups[index];
      if (group === undefined) return [];
      return [ambiguous.has(index) ? { ...group, notes: ['facility_join_ambiguous'] } : group];
    });
    return own.length > 1 ? [joined(own, 'principal')] : own;
  });
}

function byId(a: FacilityGroup, b: FacilityGroup): number {
  return compareText(a.members.join('+'), b.members.join('+'));
}

/** Sets of keys; the smallest key is the root of its set, so that the order of joins decides nothing. */
export function disjointSets(): { rootOf(key: string): string; join(a: string, b: string): void } {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next;
    if (root !== key) parents.set(key, root);
    return root;
  };
  return {
    rootOf,
    join(a, b) {
      const [from, to] = [rootOf(a), rootOf(b)];
      const isBefore = compareText(from, to) < 0;
      if (from !== to) parents.set(isBefore ? to : from, isBefore ? from : to);
    },
  };
}
