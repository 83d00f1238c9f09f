import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { InstanceFact } from './xbrlFiling.ts';

/** What several facts of one identity amount to (M1.8, M1.9). */
export type ChosenFact =
  | { readonly kind: 'fact'; readonly fact: InstanceFact; readonly value: ExactDecimal }
  /** Reported without an amount (M1.9). */
  | { readonly kind: 'nil'; readonly fact: InstanceFact }
  /** Contradicting: none of the values may be used, nor any mean of them. */
  | { readonly kind: 'blocked'; readonly values: readonly ExactDecimal[] };

/**
 * Chooses among facts of one concept, period, unit and dimensions by the EDGAR duplicate rule (M1.8).
 *
 * Facts of equal `decimals` must be equal; otherwise the closed intervals `v ± ½·10^−d` must overlap, and the
 * fact with most decimals is chosen. A nil fact beside a value is a contradiction (M1.18).
 */
export function chooseDuplicate(facts: readonly [InstanceFact, ...InstanceFact[]]): ChosenFact {
  const inOrder = facts.toSorted(
    (a, b) => compareText(a.contextId, b.contextId) || compareText(String(a.decimals), String(b.decimals)),
  );
  const valued = inOrder.flatMap((fact) => (fact.value === null ? [] : [{ fact, value: fact.value }]));
  // infinities do not subtract
  const finer = (a: number, b: number) => (a === b ? 0 : a > b ? -1 : 1);
  const [first, ...rest] = valued.toSorted((a, b) => finer(precision(a.fact), precision(b.fact)));
  if (first === undefined) return { kind: 'nil', fact: inOrder[0] ?? facts[0] };
  const isConsistent =
    valued.length === facts.length && equalWithinDecimals(valued) && intervalsMeet([first, ...rest]);
  if (!isConsistent) return { kind: 'blocked', values: distinct(valued.map(({ value }) => value)) };
  return { kind: 'fact', ...first };
}

type Valued = { readonly fact: InstanceFact; readonly value: ExactDecimal };

function equalWithinDecimals(facts: readonly Valued[]): boolean {
  const values = new Map<number, ExactDecimal>();
  for (const { fact, value } of facts) {
    const earlier = values.get(precision(fact));
    if (earlier !== undefined && !earlier.equals(value)) return false;
    values.set(precision(fact), value);
  }
  return true;
}

function intervalsMeet([first, ...rest]: readonly [Valued, ...Valued[]]): boolean {
  let [low, high] = interval(first);
  for (const valued of rest) {
    const [from, to] = interval(valued);
    if (from.compare(low) > 0) low = from;
    if (to.compare(high) < 0) high = to;
  }
  return low.compare(high) <= 0;
}

function interval({ fact, value }: Valued): [ExactDecimal, ExactDecimal] {
  const decimals = precision(fact);
  if (decimals === Number.POSITIVE_INFINITY) return [value, value];
  const half = ExactDecimal.parse(`5e${-decimals - 1}`);
  return [value.minus(half), value.plus(half)];
}

/** Decimals as a number; a fact that states none, or an absurd number, is taken as exact. */
function precision({ decimals }: InstanceFact): number {
  return Number.isInteger(decimals) && typeof decimals === 'number' && Math.abs(decimals) < 100
    ? decimals
    : Number.POSITIVE_INFINITY;
}

function distinct(values: readonly ExactDecimal[]): ExactDecimal[] {
  return [...new Map(values.map((value) => [value.toString(), value])).values()].sort((a, b) => a.compare(b));
}
