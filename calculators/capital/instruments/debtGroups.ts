import { compareText } from '../../../data/contract/values/compareText.ts';
import type { StatedFact } from '../../crypto/statedFacts.ts';
import { disjointSets } from '../../facilities/facilityGroups.ts';
import type { Dimension, InstanceFact, TermFact } from '../../filing/xbrlFiling.ts';
import { isDebtMember, isOfReceivable, mayBeDebt } from './debtMembers.ts';
import { isBareClass, isStandardMember } from './memberNames.ts';

/** Letters of the joins of M18.14; `f` joins the loan of section 16 and the line of the face that state one amount. */
export type Join = 'a' | 'b' | 'c' | 'd' | 'f';

/** All that a filing says under the names of one note, loan or line. */
export type DebtGroup = {
  /** As filed, sorted. */
  readonly members: readonly string[];
  /** Members of an aggregate whose only part left it is (M18.15). */
  readonly aliases: readonly string[];
  /** Members that describe it: `us-gaap:ConvertibleDebtMember` (M18.13). */
  readonly classes: readonly string[];
  readonly facts: readonly StatedFact[];
  /** Facts without a value. */
  readonly nil: readonly InstanceFact[];
  readonly terms: readonly TermFact[];
  readonly joins: readonly Join[];
  readonly notes: readonly string[];
};

export type GroupedFacts = Pick<DebtGroup, 'facts' | 'nil' | 'terms'>;

type Dimensioned = { readonly dimensions: readonly Dimension[] };

/**
 * Groups facts by the members that name an instrument (M18.10, M18.13): members of one fact are one (join a), a class
 * describes what is filed beside it and is a group where it stands alone.
 */
export function debtGroups(
  { facts, nil, terms }: GroupedFacts,
  /** Members whose amounts add up to a total of the filing. */
  tableMembers: ReadonlySet<string>,
): readonly DebtGroup[] {
  const own = <T extends Dimensioned>(items: readonly T[]) =>
    items.filter(({ dimensions }) => dimensions.length > 0 && !isOfReceivable(dimensions));
  const all = { facts: own(facts), nil: own(nil), terms: own(terms) };
  const names = memberKinds([...all.facts, ...all.nil, ...all.terms], tableMembers);
  const rootOf = (item: Dimensioned) => rootOfItem(item, names);
  const groups = new Map<string, { facts: StatedFact[]; nil: InstanceFact[]; terms: TermFact[] }>();
  const at = (root: string) => {
    const found = groups.get(root) ?? { facts: [], nil: [], terms: [] };
    groups.set(root, found);
    return found;
  };
  const put = <T extends Dimensioned>(items: readonly T[], into: (root: string) => T[]) => {
    for (const item of items) {
      const root = rootOf(item);
      if (root !== null) into(root).push(item);
    }
  };
  put(all.facts, (root) => at(root).facts);
  put(all.nil, (root) => at(root).nil);
  put(all.terms, (root) => at(root).terms);
  return [...groups]
    .map(([root, items]) => ({ ...items, ...membersOf(root, items, names), aliases: [], notes: [] }))
    .toSorted((a, b) => compareText(a.members.join('+'), b.members.join('+')));
}

/** Several groups as one. */
export function joinedGroups(groups: readonly DebtGroup[], by: Join): DebtGroup {
  const unique = <T>(items: readonly T[]) => [...new Set(items)];
  const members = unique(groups.flatMap((group) => group.members)).sort(compareText);
  return {
    members,
    classes: unique(groups.flatMap(({ classes }) => classes)).filter((name) => !members.includes(name)),
    aliases: unique(groups.flatMap(({ aliases }) => aliases)),
    facts: groups.flatMap(({ facts }) => facts),
    nil: groups.flatMap(({ nil }) => nil),
    terms: groups.flatMap(({ terms }) => terms),
    joins: unique([...groups.flatMap(({ joins }) => joins), by]).sort(compareText),
    notes: unique(groups.flatMap(({ notes }) => notes)),
  };
}

type MemberKinds = {
  /** Root of each member that names one instrument. */
  readonly roots: ReadonlyMap<string, string>;
  /** Members that say a kind, and whether they are filed beside an instrument. */
  readonly classes: ReadonlyMap<string, { readonly isBeside: boolean }>;
};

function memberKinds(items: readonly Dimensioned[], tableMembers: ReadonlySet<string>): MemberKinds {
  const isNamed = (dimension: Dimension) =>
    isDebtMember(dimension) || (tableMembers.has(dimension.member) && mayBeDebt(dimension));
  const beside = new Map<string, Set<string>>();
  const classes = new Map<string, { isBeside: boolean }>();
  const rows: { readonly specific: readonly string[]; readonly kinds: readonly string[] }[] = [];
  for (const { dimensions } of items) {
    const named = dimensions.filter(isNamed).map(({ member }) => member);
    if (named.length === 0) continue;
    const isClass = (member: string) => isStandardMember(member) || isBareClass(member);
    rows.push({ specific: named.filter((member) => !isClass(member)), kinds: named.filter(isClass) });
  }
  for (const { specific } of rows) {
    for (const member of specific) {
      const others = beside.get(member) ?? new Set();
      for (const other of specific) if (other !== member && others.size < 3) others.add(other);
      beside.set(member, others);
    }
  }
  // what stands beside several instruments names none of them (MSTR `EventsOfDefaultMember`)
  const describes = (member: string) => (beside.get(member)?.size ?? 0) > 1;
  const union = disjointSets();
  for (const { specific, kinds } of rows) {
    const naming = specific.filter((member) => !describes(member));
    for (const member of naming) union.join(member, naming[0] ?? member);
    for (const member of [...kinds, ...specific.filter(describes)]) {
      const known = classes.get(member) ?? { isBeside: false };
      classes.set(member, { isBeside: known.isBeside || naming.length > 0 });
    }
  }
  const naming = [...beside.keys()].filter((member) => !describes(member));
  return { roots: new Map(naming.map((member) => [member, union.rootOf(member)])), classes };
}

function rootOfItem({ dimensions }: Dimensioned, { roots, classes }: MemberKinds): string | null {
  const members = dimensions.map(({ member }) => member);
  for (const member of members) {
    const root = roots.get(member);
    if (root !== undefined) return root;
  }
  const alone = members.filter((member) => classes.get(member)?.isBeside === false);
  // the filer's own word before that of the taxonomy
  return alone.find((member) => !isStandardMember(member)) ?? alone.toSorted(compareText)[0] ?? null;
}

function membersOf(
  root: string,
  { facts, nil, terms }: GroupedFacts,
  { roots, classes }: MemberKinds,
): Pick<DebtGroup, 'members' | 'classes' | 'joins'> {
  const seen = new Set(
    [...facts, ...nil, ...terms].flatMap(({ dimensions }) => dimensions.map(({ member }) => member)),
  );
  const named = [...seen].filter((member) => roots.get(member) === root).sort(compareText);
  const members = named.length === 0 ? [root] : named;
  return {
    members,
    classes: [...seen].filter((member) => classes.has(member) && !members.includes(member)).sort(compareText),
    joins: members.length > 1 ? ['a'] : [],
  };
}
