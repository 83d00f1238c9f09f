import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { absentFigure } from '../figure.ts';
import { agree, type Rounded, roundedSum } from '../filedAmounts.ts';
import type { DebtDay } from './debtConcepts.ts';
import { type DebtGroup, type Join, joinedGroups } from './debtGroups.ts';
import { conversionOf } from './instrumentRow.ts';
import { couponOf, datesOf } from './instrumentTerms.ts';
import { halvesOfName, nameTokens, wordsOfMember } from './memberNames.ts';
import { isJustBelow, type OwedAmounts, owedAmounts } from './owedAmounts.ts';

/** Members that two or more others add up to, and the groups left (M18.15). */
export type Aggregates = { readonly groups: readonly DebtGroup[]; readonly aggregates: readonly DebtGroup[] };

/** Groups beyond this many are compared by equal names alone; no filing is known with a third of it. */
const comparedMax = 150;

/** What a group is compared by (M18.14). */
type Traits = {
  readonly group: DebtGroup;
  readonly tokens: readonly (readonly string[])[];
  readonly amounts: OwedAmounts;
  /** Principal or carrying amount at the period end. */
  readonly atPeriod: Rounded | null;
  readonly face: Rounded | null;
  readonly coupon: ExactDecimal | null;
  readonly maturity: string | null;
  readonly conversion: ExactDecimal | null;
  /** Years and months in its names: evidence against a join, never a date. */
  readonly years: readonly string[];
  readonly kinds: readonly string[];
};

/** Joins names of one instrument in the order of M18.14 until nothing joins. */
export function joinGroups(
  groups: readonly DebtGroup[],
  day: DebtDay,
  /** Lines of D. */
  roots: readonly Rounded[],
): readonly DebtGroup[] {
  let traits = byEqualNames(
    groups.map((group) => traitsOf(group, day)),
    day,
  );
  const next = () => joinOnce(traits, day, roots);
  for (let joined = next(); joined !== null; joined = next()) traits = joined;
  return ambiguous(traits).map(({ group }) => group);
}

function traitsOf(group: DebtGroup, day: DebtDay): Traits {
  const amounts = owedAmounts(group, day);
  const coupon = couponOf(group, day.period);
  const words = group.members.flatMap(wordsOfMember);
  const all = `${[...group.members, ...group.classes].join(' ')}`;
  return {
    group,
    tokens: group.members.map(nameTokens),
    amounts,
    atPeriod:
      amounts.named[0] ?? amounts.stated ?? amounts.face ?? amounts.ladder ?? amounts.carrying[0] ?? null,
    face: amounts.named[0] ?? amounts.face ?? amounts.earlierFaces[0] ?? null,
    coupon: coupon.couponKind === 'period_rate' ? null : coupon.couponRate.value,
    maturity: datesOf(group, day.period).maturityDate.value,
    conversion: conversionOf(group, { ...day, principal: absentFigure('not_filed') }).conversionPrice.value,
    years: [...new Set(words.filter((word) => /^20\d\d$/.test(word) || monthWord.test(word)))].sort(),
    kinds: ['Convertible', 'Secured'].filter(
      (word) => new RegExp(`${word}(?!ebt)`).test(all) && !(word === 'Secured' && /Unsecured/.test(all)),
    ),
  };
}

const monthWord = /^(January|February|March|April|May|June|July|August|September|October|November|December)$/;

/** (b): equal words of the names, at least two of them. */
function byEqualNames(traits: readonly Traits[], day: DebtDay): readonly Traits[] {
  const byTokens = new Map<string, number[]>();
  traits.forEach(({ tokens }, index) => {
    for (const key of new Set(tokens.filter((words) => words.length > 1).map((words) => words.join(' ')))) {
      byTokens.set(key, [...(byTokens.get(key) ?? []), index]);
    }
  });
  const merged = new Map<number, Traits>(traits.entries());
  const at = new Map<number, number>(traits.map((_, index) => [index, index]));
  const rootOf = (index: number): number => {
    const next = at.get(index) ?? index;
    return next === index ? index : rootOf(next);
  };
  for (const indexes of byTokens.values()) {
    for (const index of indexes.slice(1)) {
      const [first, other] = [rootOf(indexes[0] ?? index), rootOf(index)];
      const [a, b] = [merged.get(first), merged.get(other)];
      if (first === other || a === undefined || b === undefined || contradict(a, b)) continue;
      merged.set(first, traitsOf(joinedGroups([a.group, b.group], 'b'), day));
      merged.delete(other);
      at.set(other, first);
    }
  }
  return [...merged.values()];
}

/** The first two groups that join by principal or by a name within a name; null where none do. */
function joinOnce(
  traits: readonly Traits[],
  day: DebtDay,
  roots: readonly Rounded[],
): readonly Traits[] | null {
  if (traits.length > comparedMax) return null;
  for (const by of ['c', 'd'] as const) {
    for (const [index, a] of traits.entries()) {
      const partners = by === 'c' ? samePrincipal(a, traits) : namesWithin(a, traits);
      const [b] = partners;
      if (partners.length !== 1 || b === undefined || contradict(a, b)) continue;
      if (by === 'c' && (!isConfirmed(a, b) || areCarriedApart(a, b, roots))) continue;
      const one = traitsOf(joinedGroups([a.group, b.group], by as Join), day);
      return [...traits.slice(0, index), one, ...traits.slice(index + 1)].filter((each) => each !== b);
    }
  }
  return null;
}

/** (c): all others with the principal of this group. */
function samePrincipal({ face, group }: Traits, traits: readonly Traits[]): readonly Traits[] {
  if (face === null || face.value.sign <= 0) return [];
  return traits.filter((other) => other.group !== group && other.face?.value.equals(face.value));
}

/** One note is carried once: amounts that differ, or that add up to a line of D, are two. */
function areCarriedApart({ amounts: a }: Traits, { amounts: b }: Traits, roots: readonly Rounded[]): boolean {
  const pairs = a.carrying.flatMap((one) => b.carrying.map((other) => [one, other] as const));
  if (pairs.length === 0) return false;
  const isOne = pairs.some(([one, other]) => agree(one, other));
  return !isOne || pairs.some((pair) => roots.some((root) => agree(roundedSum(pair), root)));
}

function isConfirmed(a: Traits, b: Traits): boolean {
  if (statesBeside(a, b) || differs(a.years, b.years)) return false;
  const isSame = <T>(x: T | null, y: T | null, equals: (x: T, y: T) => boolean) =>
    x !== null && y !== null && equals(x, y);
  const isEqual = (x: ExactDecimal, y: ExactDecimal) => x.equals(y);
  return (
    isSame(a.coupon, b.coupon, isEqual) ||
    isSame(a.conversion, b.conversion, isEqual) ||
    isSame(a.maturity, b.maturity, (x, y) => x === y) ||
    (a.kinds.length > 0 && a.kinds.join() === b.kinds.join())
  );
}

/** (d): groups in whose name all words of this group's stand, and more. */
function namesWithin(a: Traits, traits: readonly Traits[]): readonly Traits[] {
  const within = traits.filter(
    (other) =>
      other !== a &&
      a.tokens.some((words) =>
        other.tokens.some(
          (more) =>
            words.length > 0 && words.length < more.length && words.every((word) => more.includes(word)),
        ),
      ),
  );
  const [only] = within;
  if (within.length !== 1 || only === undefined || statesBeside(a, only)) return [];
  return isOfOneSize(a, only) ? within : [];
}

/** Equal principals, or one that is a carrying amount within 5 % below the other. */
function isOfOneSize(a: Traits, b: Traits): boolean {
  const [x, y] = [a.atPeriod ?? a.face, b.atPeriod ?? b.face];
  if (x === null || y === null || x.value.sign <= 0 || y.value.sign <= 0) return false;
  return agree(x, y) || isJustBelow(x.value, y.value, '0.05') || isJustBelow(y.value, x.value, '0.05');
}

/** True where one concept states an amount of each at the period end: they are listed side by side. */
function statesBeside(a: Traits, b: Traits): boolean {
  const names = ({ amounts }: Traits) =>
    [...amounts.named, amounts.stated, amounts.face, ...amounts.carrying].flatMap((each) =>
      each === null || each.value.sign <= 0 ? [] : each.facts.map(({ concept }) => concept),
    );
  const own = new Set(names(a));
  return names(b).some((name) => own.has(name));
}

/** What keeps two groups apart although names agree: terms or principals that differ (M18.14). */
function contradict(a: Traits, b: Traits): boolean {
  if (a.maturity !== null && b.maturity !== null && !isOneDay(a.maturity, b.maturity)) return true;
  if (a.coupon !== null && b.coupon !== null && !a.coupon.equals(b.coupon)) return true;
  if (a.conversion !== null && b.conversion !== null && !a.conversion.equals(b.conversion)) return true;
  const { atPeriod: x } = a;
  const { atPeriod: y } = b;
  return x !== null && y !== null && !agree(x, y) && !isOfOneSize(a, b);
}

/** A month holds its days. */
function isOneDay(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

function differs(a: readonly string[], b: readonly string[]): boolean {
  return a.length > 0 && b.length > 0 && a.join() !== b.join();
}

function ambiguous(traits: readonly Traits[]): readonly Traits[] {
  if (traits.length > comparedMax) return traits;
  return traits.map((each) =>
    samePrincipal(each, traits).filter((other) => !statesBeside(each, other)).length > 1
      ? { ...each, group: { ...each.group, notes: [...each.group.notes, 'join_ambiguous'] } }
      : each,
  );
}

/** Takes out members whose name joins two others' by `And` (M18.15 a). */
export function namedAggregates(groups: readonly DebtGroup[]): Aggregates {
  const keys = new Set(groups.flatMap(({ members }) => members.map(tokenKey)));
  const isAggregate = ({ members }: DebtGroup) =>
    members.some((member) =>
      halvesOfName(member).some(([left, right]) => keys.has(tokenKey(left)) && keys.has(tokenKey(right))),
    );
  return {
    groups: groups.filter((group) => !isAggregate(group)),
    aggregates: groups.filter(isAggregate),
  };
}

export function tokenKey(member: string): string {
  return nameTokens(member).join(' ');
}

/** Takes out groups without terms of their own that 2 to 4 others add up to (M18.15 b). */
export function summedAggregates(
  groups: readonly DebtGroup[],
  day: DebtDay,
  /** Rows of tables: what stands beside its parts is none of them (AMZN). */
  tableMembers: ReadonlySet<string>,
): Aggregates {
  if (groups.length > comparedMax) return { groups, aggregates: [] };
  const traits = groups.map((group) => traitsOf(group, day));
  const owing = traits
    .filter(({ atPeriod }) => atPeriod !== null && atPeriod.value.sign > 0)
    .toSorted((a, b) => b.atPeriod?.value.compare(a.atPeriod?.value ?? b.atPeriod.value) ?? 0)
    .slice(0, 16);
  const isAggregate = (each: Traits) => {
    const { atPeriod, coupon, maturity, conversion, group } = each;
    if (group.members.some((member) => tableMembers.has(member))) return false;
    if (atPeriod === null || atPeriod.value.sign <= 0) return false;
    if (coupon !== null || maturity !== null || conversion !== null) return false;
    const parts = owing.flatMap((other) =>
      other === each || other.atPeriod === null ? [] : [other.atPeriod],
    );
    return addsUp(parts, atPeriod, 4);
  };
  const summed = new Set(owing.filter(isAggregate).map(({ group }) => group));
  return { groups: groups.filter((group) => !summed.has(group)), aggregates: [...summed] };
}

function addsUp(parts: readonly Rounded[], total: Rounded, most: number): boolean {
  const search = (from: number, chosen: readonly Rounded[]): boolean => {
    const sum = roundedSum(chosen);
    if (chosen.length > 1 && agree(sum, total)) return true;
    if (chosen.length === most || sum.value.minus(sum.half).compare(total.value.plus(total.half)) > 0)
      return false;
    return parts.some((part, index) => index >= from && search(index + 1, [...chosen, part]));
  };
  return search(0, []);
}
