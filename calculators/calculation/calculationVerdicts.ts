import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Dimension, InstanceFact } from '../filing/xbrlFiling.ts';

/**
 * A fact and the tuples around it as a path of ordinals (`1/3`); a filing has none. A value beside null decimals
 * states precision 0: no digit of it is known.
 */
export type CalculationFact = InstanceFact & { readonly scope?: string };

/** `1.0` is XBRL 2.1 §5.2.5.2; `1.1-round` is Calculations 1.1, round to nearest (M1.18). */
export type CalculationMode = '1.0' | '1.1-round';

/** What an item contributes: one figure in mode 1.0 (low = high), an interval in mode 1.1. */
type CalculationItem = {
  readonly concept: string;
  readonly weight: ExactDecimal;
  readonly value: ValueInterval;
};

/** Where a total is checked. */
export type CalculationPlace = {
  readonly role: string;
  /** the total */
  readonly concept: string;
  /** of the total's first fact; facts of another id with equal period and dimensions take part */
  readonly contextId: string;
  readonly unit: string;
  readonly start: string | null;
  readonly end: string;
  readonly dimensions: readonly Dimension[];
};

type StopReason =
  | 'inconsistent_duplicates'
  | 'nil_and_value'
  | 'excess_digits'
  | 'no_known_digit'
  | 'duplicate_relationship'
  | 'work_limit';

/** The outcome of one total in one role, context and unit. */
export type CalculationCheck = CalculationPlace &
  (
    | {
        readonly outcome: 'pass' | 'fail';
        readonly total: ValueInterval;
        readonly sum: ValueInterval;
        /** sorted by concept */
        readonly items: readonly CalculationItem[];
      }
    | { readonly outcome: 'unbound'; readonly reason: 'no_item_reported' | 'total_nil' | 'duplicate_facts' }
    /** The figures do not allow a verdict; `cause` is the concept they fail at. */
    | { readonly outcome: 'stopped'; readonly reason: StopReason; readonly cause: string }
  );

type CalculationVerdict = CalculationCheck extends infer C
  ? C extends CalculationCheck
    ? Omit<C, keyof CalculationPlace>
    : never
  : never;

/** One bound total: its facts and, per arc, the facts of the item; every list holds one entry per duplicate. */
export type CalculationBinding = {
  readonly concept: string;
  readonly totals: readonly CalculationFact[];
  readonly items: readonly {
    readonly concept: string;
    readonly weight: ExactDecimal;
    readonly facts: readonly CalculationFact[];
  }[];
  /** an item stated twice under this total in the role */
  readonly repeatedItem: string | null;
};

/**
 * Judges one total by XBRL 2.1 §5.2.5.2: items are rounded to their own decimals and weighted, their sum is rounded to
 * the total's decimals and must equal the total so rounded.
 *
 * Nil facts do not take part; a duplicated total or item means the calculation does not bind; a figure of precision 0
 * is never consistent and stops.
 */
export function roundedVerdict(binding: CalculationBinding): CalculationVerdict {
  const totals = binding.totals.filter((fact) => fact.value !== null);
  const reported = binding.items
    .map((item) => ({ ...item, facts: item.facts.filter((fact) => fact.value !== null) }))
    .filter((item) => item.facts.length > 0);
  const [total] = totals;
  if (total === undefined || total.value === null) return { outcome: 'unbound', reason: 'total_nil' };
  if (reported.length === 0) return { outcome: 'unbound', reason: 'no_item_reported' };
  if (totals.length > 1 || reported.some((item) => item.facts.length > 1)) {
    return { outcome: 'unbound', reason: 'duplicate_facts' };
  }
  if (total.decimals === null) return stopped(binding.concept);
  const items: CalculationItem[] = [];
  let sum = ExactDecimal.zero;
  for (const { concept, weight, facts } of reported) {
    const rounded = roundedTo(facts[0]?.value ?? null, facts[0]?.decimals ?? null);
    if (rounded === null) return stopped(concept);
    items.push({ concept, weight, value: { low: rounded, high: rounded } });
    sum = sum.plus(rounded.times(weight));
  }
  const expected = roundedTo(total.value, total.decimals) ?? total.value;
  const actual = roundedTo(sum, total.decimals) ?? sum;
  return {
    outcome: expected.equals(actual) ? 'pass' : 'fail',
    total: { low: expected, high: expected },
    sum: { low: actual, high: actual },
    items,
  };
}

function roundedTo(value: ExactDecimal | null, decimals: number | 'INF' | null): ExactDecimal | null {
  if (value === null || decimals === null) return null;
  return decimals === 'INF' ? value : roundHalfEven(value, decimals);
}

function stopped(cause: string): CalculationVerdict {
  return { outcome: 'stopped', reason: 'no_known_digit', cause };
}

/**
 * Judges one total by Calculations 1.1, round to nearest (M1.18): the weighted sum of the items' intervals and the
 * total's interval must meet; consistent duplicates are intersected.
 *
 * Stops instead of guessing on inconsistent duplicates, nil beside a value, digits beyond the stated decimals,
 * precision 0 and an item stated twice under the total.
 */
export function intervalVerdict(binding: CalculationBinding): CalculationVerdict {
  const total = consolidated(binding.totals);
  if (total === null) return { outcome: 'unbound', reason: 'total_nil' };
  const reported = binding.items.filter((item) => item.facts.some((fact) => fact.value !== null));
  if (reported.length === 0) return { outcome: 'unbound', reason: 'no_item_reported' };
  if (binding.repeatedItem !== null) {
    return { outcome: 'stopped', reason: 'duplicate_relationship', cause: binding.repeatedItem };
  }
  if (typeof total === 'string') return { outcome: 'stopped', reason: total, cause: binding.concept };
  const items: CalculationItem[] = [];
  let sum: ValueInterval = { low: ExactDecimal.zero, high: ExactDecimal.zero };
  for (const { concept, weight, facts } of reported) {
    const value = consolidated(facts);
    if (value === null) continue;
    if (typeof value === 'string') return { outcome: 'stopped', reason: value, cause: concept };
    items.push({ concept, weight, value });
    sum = addWeighted({ sum, weight, item: value });
  }
  const outcome = intersect(sum, total) === null ? 'fail' : 'pass';
  return { outcome, total, sum, items };
}

/** The interval all duplicates allow, null when all are nil, or the reason to stop. */
function consolidated(facts: readonly CalculationFact[]): ValueInterval | StopReason | null {
  if (facts.every((fact) => fact.value === null)) return null;
  const fault = faultOf(facts);
  if (fault !== null) return fault;
  let interval: ValueInterval | null = null;
  for (const { value, decimals } of facts) {
    if (value === null || decimals === null) continue;
    const own = intervalOf(value, decimals);
    const both: ValueInterval | null = interval === null ? own : intersect(interval, own);
    if (both === null) return 'inconsistent_duplicates';
    interval = both;
  }
  return interval;
}

/** What is wrong with any one figure; tested before two are compared, so their order never decides the reason. */
function faultOf(facts: readonly CalculationFact[]): StopReason | null {
  if (facts.some(({ value }) => value === null)) return 'nil_and_value';
  if (facts.some(({ decimals }) => decimals === null)) return 'no_known_digit';
  return facts.some(hasExcessDigits) ? 'excess_digits' : null;
}

function hasExcessDigits({ value, decimals }: CalculationFact): boolean {
  if (value === null || decimals === null || decimals === 'INF') return false;
  return !roundHalfEven(value, decimals).equals(value);
}

/** Closed interval of the values a filed figure stands for. */
export type ValueInterval = { readonly low: ExactDecimal; readonly high: ExactDecimal };

/** `v ± ½·10^-d`, the value itself for `INF` (M1.18). */
export function intervalOf(value: ExactDecimal, decimals: number | 'INF'): ValueInterval {
  if (decimals === 'INF') return { low: value, high: value };
  const half = powerOfTen({ units: 5n, scale: decimals + 1 });
  return { low: value.minus(half), high: value.plus(half) };
}

/** The intersection of two intervals, null when they are disjoint. */
export function intersect(a: ValueInterval, b: ValueInterval): ValueInterval | null {
  const low = a.low.compare(b.low) >= 0 ? a.low : b.low;
  const high = a.high.compare(b.high) <= 0 ? a.high : b.high;
  return low.compare(high) <= 0 ? { low, high } : null;
}

/** `sum + weight · item`; a negative weight swaps the ends. */
export function addWeighted({
  sum,
  weight,
  item,
}: {
  sum: ValueInterval;
  weight: ExactDecimal;
  item: ValueInterval;
}): ValueInterval {
  const a = item.low.times(weight);
  const b = item.high.times(weight);
  const [low, high] = weight.sign < 0 ? [b, a] : [a, b];
  return { low: sum.low.plus(low), high: sum.high.plus(high) };
}

/** Rounds to `digits` decimals (negative: tens, hundreds, …), ties to the even neighbour (XBRL 2.1 §4.6.7.2). */
export function roundHalfEven(value: ExactDecimal, digits: number): ExactDecimal {
  if (value.scale <= digits) return value;
  const divisor = 10n ** BigInt(value.scale - digits);
  const magnitude = value.units < 0n ? -value.units : value.units;
  const down = magnitude / divisor;
  const twice = (magnitude % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && down % 2n === 1n);
  const rounded = up ? down + 1n : down;
  return powerOfTen({ units: value.units < 0n ? -rounded : rounded, scale: digits });
}

/** `units · 10^-scale`, where scale may be negative. */
function powerOfTen({ units, scale }: { units: bigint; scale: number }): ExactDecimal {
  return scale >= 0 ? new ExactDecimal(units, scale) : new ExactDecimal(units * 10n ** BigInt(-scale), 0);
}
