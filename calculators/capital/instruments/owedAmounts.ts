import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { absolute } from '../../exact/decimals.ts';
import { agree, type Rounded, roundedOf, roundedSum } from '../filedAmounts.ts';
import { bucketOfMember, isDebtYears } from './bucketNames.ts';
import {
  carryingNames,
  costNames,
  type DebtDay,
  dividedNames,
  faceName,
  grossName,
  isBucket,
  isLadderTotal,
  isPrincipalConcept,
  ownLines,
} from './debtConcepts.ts';
import type { DebtGroup } from './debtGroups.ts';
import { saysNothing } from './debtMembers.ts';

/** An amount and the facts it comes from. */
export type Evidence = Rounded & { readonly facts: readonly StatedFact[]; readonly basis?: string };

/** What a group states of its debt at the period end, one value by concept, and of days before (M18.16, M18.18). */
export type OwedAmounts = {
  readonly named: readonly Evidence[];
  /** `DebtInstrumentCarryingAmount`: gross with some filers, net with others. */
  readonly stated: Evidence | null;
  readonly face: Evidence | null;
  /** Faces and named principals of earlier days, the newest first. */
  readonly earlierFaces: readonly Evidence[];
  readonly ladder: Evidence | null;
  /** By the names of a carrying amount, pairs of current and noncurrent as their sum; the undivided names first. */
  readonly carrying: readonly Evidence[];
  /** What unamortized cost may be, by its names alone and together; the likeliest first. */
  readonly costs: readonly Evidence[];
};

/** The amounts of a group in the reporting currency, read from its facts. */
export function owedAmounts(
  { facts, members }: Pick<DebtGroup, 'facts' | 'members'>,
  day: DebtDay,
): OwedAmounts {
  const { period, currency } = day;
  const money = facts.filter(
    ({ unit, end, dimensions }) => unit === currency && end <= period && !saysNothing(dimensions),
  );
  const now = money.filter(({ start, end }) => start === null && end === period);
  const byName = Map.groupBy(now, ({ concept }) => localName(concept));
  const at = (name: string) => plainest(byName.get(name) ?? [], members);
  const named = [...new Set(now.map(({ concept }) => concept).filter(isPrincipalConcept))].sort();
  const faces = money.filter(
    ({ concept, start, end }) =>
      (localName(concept) === faceName || isPrincipalConcept(concept)) && (end < period || start !== null),
  );
  return {
    named: named.flatMap((concept) => at(localName(concept)) ?? []),
    stated: at(grossName),
    face: at(faceName),
    earlierFaces: earlierFaces(faces, members),
    ladder:
      ladderOf(now, members) ??
      yearlyLadder(
        money.filter(({ end }) => end === period),
        members,
      ),
    carrying: carryingOf(at, ownLines(day)),
    costs: unamortizedCosts(at),
  };
}

/** The facts with the fewest members beside those of the instrument. */
export function plainFacts<T extends Pick<StatedFact, 'dimensions'>>(
  facts: readonly T[],
  members: readonly string[],
): T[] {
  const extras = ({ dimensions }: T) =>
    dimensions.filter(
      ({ axis, member }) => !members.includes(member) && !axis.endsWith(':StatementClassOfStockAxis'),
    ).length;
  const fewest = Math.min(...facts.map(extras));
  return facts.filter((fact) => extras(fact) === fewest);
}

/** The value of the facts with the fewest other members; two values of equal standing are none, unless one is 0. */
export function plainest(facts: readonly StatedFact[], members: readonly string[]): Evidence | null {
  const own = plainFacts(facts, members);
  const [first, ...rest] = own.toSorted(finerFirst);
  if (first === undefined) return null;
  const rounded = roundedOf(first);
  if (rest.every((fact) => agree(roundedOf(fact), rounded))) return { ...rounded, facts: [first] };
  // an amended note stands at nothing under its old name
  const above = own.filter(({ value }) => value.sign > 0);
  return above.length < own.length && above.length > 0 ? plainest(above, members) : null;
}

/** More decimals first; of equal ones the order of names decides, not that of the file. */
export function finerFirst(a: StatedFact, b: StatedFact): number {
  const half = roundedOf(a).half.compare(roundedOf(b).half);
  return half || b.value.compare(a.value) || (a.identity < b.identity ? -1 : a.identity > b.identity ? 1 : 0);
}

function earlierFaces(facts: readonly StatedFact[], members: readonly string[]): readonly Evidence[] {
  const byDay = Map.groupBy(facts, ({ end, concept }) => `${end} ${concept}`);
  return [...byDay]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .flatMap(([, own]) => plainest(own, members) ?? []);
}

function ladderOf(now: readonly StatedFact[], members: readonly string[]): Evidence | null {
  const total = plainest(now.filter(isLadderTotal), members);
  if (total !== null) return total;
  const byConcept = Map.groupBy(now.filter(isBucket), ({ concept }) => concept);
  const buckets = [...byConcept.values()].flatMap((own) => plainest(own, members) ?? []);
  return buckets.length < 2 ? null : together(buckets);
}

/** One principal over an axis of years (CLSK `LoanMaturitiesAxis`), the longest series of them. */
function yearlyLadder(facts: readonly StatedFact[], members: readonly string[]): Evidence | null {
  const dated = facts.flatMap((fact) => {
    const year = fact.dimensions.find(
      ({ axis, member, typed }) => !typed && isDebtYears(fact.concept, axis) && bucketOfMember(member),
    );
    return year === undefined ? [] : [{ fact, year: year.member }];
  });
  const series = Map.groupBy(dated, ({ fact: { concept, start } }) => `${concept} ${start}`);
  const [longest = []] = [...series.values()].toSorted((a, b) => b.length - a.length);
  const years = [...Map.groupBy(longest, ({ year }) => year)].flatMap(
    ([year, own]) =>
      plainest(
        own.map(({ fact }) => fact),
        [...members, year],
      ) ?? [],
  );
  return years.length < 2 ? null : together(years);
}

function carryingOf(at: (name: string) => Evidence | null, lines: readonly string[]): readonly Evidence[] {
  const whole = carryingNames.flatMap((name) => at(name) ?? []);
  const divided = dividedNames.flatMap(({ current, noncurrent }) => {
    const [now] = current.flatMap((name) => at(name) ?? []);
    const [later] = noncurrent.flatMap((name) => at(name) ?? []);
    const parts = [now, later].filter((part) => part !== undefined);
    return parts.length === 0 ? [] : [together(parts)];
  });
  // `LongTermDebt` beside `DebtCurrent` may be the noncurrent part (TSLA, MSTR)
  const [whole0] = carryingNames.slice(0, 1).flatMap((name) => at(name) ?? []);
  const [current] = ['DebtCurrent', 'LongTermDebtCurrent'].flatMap((name) => at(name) ?? []);
  const sum = whole0 !== undefined && current !== undefined ? [together([whole0, current])] : [];
  return [...whole, ...sum, ...divided, ...lines.flatMap((name) => at(name) ?? [])];
}

/** As filed, and as an amount where it is filed as a deduction: only what closes is used. */
function unamortizedCosts(at: (name: string) => Evidence | null): readonly Evidence[] {
  const filed = filedCosts(at);
  const deducted = filed.filter(({ value }) => value.sign < 0);
  return [...filed, ...deducted.map((cost) => ({ ...cost, value: absolute(cost.value) }))];
}

/** FLD files its discount beside a name that holds both discount and costs, and means the costs. */
function filedCosts(at: (name: string) => Evidence | null): readonly Evidence[] {
  const first = (names: readonly string[]) => names.flatMap((name) => at(name) ?? [])[0];
  const named = first(costNames.premium);
  const premium = named === undefined ? undefined : { ...named, value: absolute(named.value).negated() };
  const [whole, discount, issuance] = [costNames.together, costNames.discount, costNames.issuance].map(first);
  const sum = (...parts: readonly (Evidence | undefined)[]) => {
    const filed = parts.filter((part) => part !== undefined);
    return filed.length === 0 ? [] : [together(filed)];
  };
  const divided = sum(discount, issuance, premium);
  if (whole === undefined) return divided;
  return [whole, ...(divided.length === 0 ? [] : sum(whole, discount, premium)), ...divided];
}

/** The sum of several amounts. */
export function together(parts: readonly Evidence[]): Evidence {
  return { ...roundedSum(parts), facts: parts.flatMap(({ facts }) => facts) };
}

/** True where one amount is another in thousands or millions, or the other way round (M18.18, MSTR 800). */
export function isScaled(a: Rounded, b: Rounded): boolean {
  if (a.value.sign <= 0 || b.value.sign <= 0) return false;
  return scales.some((scale) => agree(times(a, scale), b) || agree(times(b, scale), a));
}

/** True where a net amount is a little below another in thousands or millions, or that in these of it. */
export function isScaledNet({ value: net }: Rounded, { value }: Rounded): boolean {
  const isNetOf = (a: ExactDecimal, b: ExactDecimal) => b.sign > 0 && isJustBelow(a, b, '0.05');
  return scales.some((scale) => isNetOf(net, value.times(scale)) || isNetOf(net.times(scale), value));
}

const scales = ['1000', '1000000'].map((text) => ExactDecimal.parse(text));

function times({ value, half }: Rounded, factor: ExactDecimal): Rounded {
  return { value: value.times(factor), half: half.times(factor) };
}

/** True where `a` is at most `share` of `b` below it, and not above. */
export function isJustBelow(a: ExactDecimal, b: ExactDecimal, share: string): boolean {
  if (a.compare(b) > 0) return false;
  return a.compare(b.times(ExactDecimal.parse('1').minus(ExactDecimal.parse(share)))) >= 0;
}

/** Rounding beyond this share of an amount lets anything agree with anything (RIOT: 0.5 M to the nearest 0.1 M). */
const coarsest = ExactDecimal.parse('0.01');

/** True where two amounts agree, and are stated finely enough for that to prove something. */
export function proves(a: Rounded, b: Rounded): boolean {
  return agree(a, b) && a.half.plus(b.half).compare(absolute(b.value).times(coarsest)) <= 0;
}
