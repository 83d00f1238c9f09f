import type { SegmentShare } from '../../../data/contract/history/segmentIndex.ts';
import { inRange } from '../asked/historyRange.ts';
import type { Page } from '../asked/page.ts';
import { countRows, cutSpans, datesOfSpans, type HistorySegment, type RowSpan, spansOf } from './rowSpans.ts';

/** Rows of a range, counted; which they are is listed for one page only. */
export type CalculationSelection = {
  readonly total: number;
  page(page: Page): RowSpan[];
  /** Rows, or dates of rows, of the page in the order they are sent. */
  ordered<T>(ofPage: readonly T[]): readonly T[];
};

type Bounds = { readonly from: string; readonly to: string };

/** Selects by the indexes alone, source date descending, CIK ascending (I2.54); no row is read. */
export function selectCalculations(
  segments: readonly HistorySegment[],
  { cik, ...range }: Bounds & { cik: string | null },
): CalculationSelection {
  return cik === null ? ofEveryIssuer(segments, range) : ofIssuer(segments, { cik, range });
}

function ofIssuer(
  segments: readonly HistorySegment[],
  { cik, range }: { cik: string; range: Bounds },
): CalculationSelection {
  const spans = spansOf(segments, { subject: cik, range });
  const total = countRows(spans);
  return {
    total,
    page({ offset, limit }) {
      // the page counts from the newest row
      const end = Math.max(0, total - offset);
      const first = Math.max(0, end - limit);
      return cutSpans(spans, { offset: first, limit: end - first });
    },
    ordered: (ofPage) => ofPage.toReversed(),
  };
}

function ofEveryIssuer(segments: readonly HistorySegment[], range: Bounds): CalculationSelection {
  const newestFirst = segments
    .flatMap((segment) =>
      segment.dates.filter((date) => inRange(range, date)).map((date) => ({ segment, date })),
    )
    .reverse()
    .map(({ segment, date }) => ({ segment, rows: rowsByDate(segment).get(date) ?? [] }));
  return {
    total: newestFirst.reduce((sum, { rows }) => sum + rows.length, 0),
    page({ limit, offset }) {
      const spans: RowSpan[] = [];
      let before = 0;
      for (const { segment, rows } of newestFirst) {
        const skipped = Math.max(0, offset - before);
        for (const { share, row } of rows.slice(skipped, skipped + limit - spans.length))
          spans.push({ segment, share, from: row, to: row + 1 });
        before += rows.length;
        if (spans.length === limit) break;
      }
      return spans;
    },
    ordered: (ofPage) => ofPage,
  };
}

/** Every date with a row of the issuer, or of any, ascending. */
export function datesWithRows(segments: readonly HistorySegment[], cik: string | null): readonly string[] {
  if (cik !== null) return datesOfSpans(spansOf(segments, { subject: cik }));
  return segments.flatMap((segment) => [...rowsByDate(segment).keys()].sort());
}

type RowOfDate = { readonly share: SegmentShare; readonly row: number };

const byDates = new WeakMap<HistorySegment['shares'], ReadonlyMap<string, readonly RowOfDate[]>>();

/** The rows of each date, CIK ascending. */
function rowsByDate({ shares }: HistorySegment): ReadonlyMap<string, readonly RowOfDate[]> {
  const known = byDates.get(shares);
  if (known !== undefined) return known;
  const rows = new Map<string, RowOfDate[]>();
  for (const share of shares.values()) {
    share.dates.forEach((date, row) => {
      const ofDate = rows.get(date) ?? [];
      rows.set(date, ofDate);
      ofDate.push({ share, row });
    });
  }
  byDates.set(shares, rows);
  return rows;
}
