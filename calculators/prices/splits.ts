import { compareText } from '../../data/contract/values/compareText.ts';
import { daysBetween } from '../exact/civilDate.ts';

/** The board's decision and the day it takes effect are two dates of one split. */
const sameSplitDays = 120;
/** An exchange of shares in a merger, a dividend in stock: no split of the market's closes. */
const noSplit = { low: 0.8, high: 1.25 };

/** A split; `ratio` new shares for one old (0.1 for a reverse split of ten). */
export type Split = {
  /** First day on the new count for a row of the registry; the day the filing gives otherwise. */
  readonly date: string;
  readonly ratio: number;
  readonly source: 'fact' | 'registry';
};

/** Each split once: rows of the registry first, of several dates of one ratio the last. */
export function distinctSplits(splits: readonly Split[]): readonly Split[] {
  const ordered = splits
    .filter(({ ratio }) => ratio > 0 && (ratio < noSplit.low || ratio > noSplit.high))
    .toSorted(
      (a, b) =>
        Number(b.source === 'registry') - Number(a.source === 'registry') || compareText(b.date, a.date),
    );
  const kept: Split[] = [];
  for (const split of ordered) {
    const isKnown = kept.some(
      (one) =>
        isSameRatio(one.ratio, split.ratio) && Math.abs(daysBetween(one.date, split.date)) <= sameSplitDays,
    );
    if (!isKnown) kept.push(split);
  }
  return kept.sort((a, b) => compareText(a.date, b.date));
}

/** One ratio, but for rounding. */
export function isSameRatio(a: number, b: number): boolean {
  return Math.abs(a / b - 1) < 0.001;
}
