import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { isSubsequentMember, localName, type StatedFact } from '../../crypto/statedFacts.ts';
import { absolute } from '../../exact/decimals.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';

/** Facts by the local name of their concept. */
export type FactIndex = (name: string) => readonly StatedFact[];

export function factIndex(facts: readonly StatedFact[]): FactIndex {
  const byName = Map.groupBy(facts, ({ concept }) => localName(concept));
  return (name) => byName.get(name) ?? [];
}

/** The figure one or several facts state: a contradiction is none (M1.8). */
export function statedValue(facts: readonly StatedFact[], basis: string): Figure {
  const [first, ...rest] = facts;
  if (first === undefined) return absentFigure('not_filed');
  if (rest.some(({ value }) => !value.equals(first.value))) return absentFigure('conflict', { facts });
  return figureOf(first.value, { basis, facts: [first] });
}

/** Half a unit of the last digit each fact states, added up: so far a sum of them may be off (M1.8). */
export function roundingOf(facts: readonly StatedFact[]): ExactDecimal {
  return facts.reduce((sum, { decimals }) => {
    if (typeof decimals !== 'number' || !Number.isInteger(decimals) || Math.abs(decimals) > 99) return sum;
    return sum.plus(ExactDecimal.parse(`5e${-decimals - 1}`));
  }, ExactDecimal.zero);
}

/** True where two sums differ by no more than their facts are rounded. */
export function agrees(a: ExactDecimal, b: ExactDecimal, rounding: ExactDecimal): boolean {
  return absolute(a.minus(b)).compare(rounding) <= 0;
}

/** A stock at the period end that is not an event after it. */
export function isAtPeriod({ start, end, dimensions }: StatedFact, period: string): boolean {
  return start === null && end === period && !dimensions.some(isSubsequentMember);
}

/** Local name of the one member a fact has, on an axis of this kind; null otherwise. */
export function onlyMember({ dimensions }: StatedFact, axis: RegExp): string | null {
  const [only, ...rest] = dimensions;
  if (only === undefined || rest.length > 0 || !axis.test(only.axis)) return null;
  return localName(only.member);
}

/** Whole words of a member: `SeriesAPreferredStockMember` is `Series A Preferred Stock`. */
export function wordsOf(member: string): string {
  return localName(member)
    .replace(/Member$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[-_]+/g, ' ')
    .trim();
}
