import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { divide, doubleOf, exactly, published, quotient } from '../../exact/fraction.ts';
import type { Split } from '../../prices/splits.ts';
import type { Figure } from '../figure.ts';

/** A count up to here beside a cover a hundred times above it is what a company is founded with. */
const placeholderMax = 1000;
const placeholderFactor = 100;
/** Outside of it a count has moved between the period end and the cover. */
const steady = { low: 0.8, high: 1.25 };
const scaleTolerance = 0.1;

export type CheckedCount = {
  readonly outstanding: Figure;
  readonly perShare: Figure;
  readonly perShareDate: string | null;
  readonly notes: readonly string[];
};

/**
 * Holds the count of the balance sheet against that of the cover (M18.43): a placeholder and a slip of scale are no
 * count, a move between the two days is said and both stay.
 */
export function checkCounts({
  outstanding,
  cover,
  coverDate,
  period,
  weightedAverage,
  redeemable,
  splits,
}: {
  readonly outstanding: Figure;
  readonly cover: Figure;
  readonly coverDate: string | null;
  readonly period: string;
  readonly weightedAverage: Figure;
  /** Redeemable common shares, which a cover counts too. */
  readonly redeemable: ExactDecimal | null;
  readonly splits: readonly Split[];
}): CheckedCount {
  const asFiled = { outstanding, perShare: outstanding, perShareDate: period, notes: [] };
  if (outstanding.value === null || cover.value === null) return asFiled;
  const count = outstanding.value;
  const onCover = cover.value;
  if (count.sign <= 0 || onCover.sign <= 0) return asFiled;
  const byCover = (note: string): CheckedCount => ({
    outstanding: { value: null, reason: 'unconfirmed', facts: outstanding.facts },
    perShare: cover,
    perShareDate: coverDate,
    notes: [note],
  });
  const ratio = doubleOf(quotient(onCover, count));
  if (count.toNumber() <= placeholderMax && ratio > placeholderFactor) return byCover(`placeholder:${count}`);
  if (isScaleOf(ratio)) {
    const average = weightedAverage.value;
    // the average of the period says which of the two has slipped
    const isNear = (value: ExactDecimal) =>
      average !== null && average.sign > 0 && Math.abs(Math.log10(doubleOf(quotient(value, average)))) < 1;
    if (isNear(count)) return { ...asFiled, notes: [`scale_error:cover ${onCover}`] };
    const note = `scale_error:${count}`;
    if (isNear(onCover)) return byCover(note);
    const unknown: Figure = { value: null, reason: 'conflict', part: 'scale', facts: outstanding.facts };
    return { outstanding: unknown, perShare: unknown, perShareDate: null, notes: [note] };
  }
  const isSteady = (value: number) => value >= steady.low && value <= steady.high;
  if (isSteady(ratio)) return asFiled;
  if (redeemable !== null && isSteady(doubleOf(quotient(onCover, count.plus(redeemable))))) return asFiled;
  const between = splits.find(
    ({ date, ratio: each }) =>
      date > period && coverDate !== null && date <= coverDate && isSteady(ratio / each),
  );
  if (between !== undefined) return { ...asFiled, notes: [`count_split:${between.ratio}`] };
  const moved = published(divide(exactly(onCover), exactly(count)), 2);
  return { ...asFiled, notes: [`count_moved:${moved}`] };
}

function isScaleOf(ratio: number): boolean {
  const magnitude = Math.log10(ratio);
  return [-6, -3, 3, 6].some((power) => Math.abs(magnitude - power) < scaleTolerance);
}
