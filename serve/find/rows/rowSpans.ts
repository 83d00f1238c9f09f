import {
  type ColumnCell,
  columnOfShare,
  type IndexedSegment,
  type SegmentShare,
} from '../../../data/contract/history/segmentIndex.ts';
import { type HistoryRange, inRange } from '../asked/historyRange.ts';
import type { Page } from '../asked/page.ts';

/** The index of one segment, and its key. */
export type HistorySegment = IndexedSegment & { readonly key: string };

/** Rows of one subject that follow one another in a segment: from `from` to before `to`. */
export type RowSpan = {
  readonly segment: HistorySegment;
  readonly share: SegmentShare;
  readonly from: number;
  readonly to: number;
};

const always: HistoryRange = { from: null, to: null };

/** The rows of one subject in a range of dates, by date ascending; nothing is made for a row. */
export function spansOf(
  segments: readonly HistorySegment[],
  { subject, range = always }: { subject: string; range?: HistoryRange },
): RowSpan[] {
  return segments.flatMap((segment) => {
    const share = segment.shares.get(subject);
    if (share === undefined) return [];
    const { dates } = share;
    const from = inRange(range, dates[0] ?? '') ? 0 : dates.findIndex((date) => inRange(range, date));
    const isWhole = from === 0 && inRange(range, dates.at(-1) ?? '');
    const to = isWhole ? dates.length : dates.findLastIndex((date) => inRange(range, date)) + 1;
    return from < 0 ? [] : [{ segment, share, from, to }];
  });
}

export function countRows(spans: readonly RowSpan[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** The rows of one page. */
export function cutSpans(spans: readonly RowSpan[], { offset, limit }: Page): RowSpan[] {
  const cut: RowSpan[] = [];
  let before = 0;
  for (const { from, to, ...of } of spans) {
    const first = Math.max(from, from + offset - before);
    const end = Math.min(to, from + offset + limit - before);
    if (first < end) cut.push({ ...of, from: first, to: end });
    before += to - from;
    if (before >= offset + limit) break;
  }
  return cut;
}

/** The date of every row. */
export function datesOfSpans(spans: readonly RowSpan[]): string[] {
  return spans.flatMap(({ share, from, to }) => share.dates.slice(from, to));
}

/** The value of a column at every row, with its date. */
export function columnOfSpans(
  spans: readonly RowSpan[],
  column: string,
): { readonly date: string; readonly value: ColumnCell }[] {
  return spans.flatMap(({ share, from, to }) => {
    const values = columnOfShare(share, column);
    return share.dates.slice(from, to).map((date, i) => ({ date, value: values[from + i] ?? null }));
  });
}
