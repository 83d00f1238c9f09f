import { z } from 'zod';
import { artifactKey } from '../release/releaseFiles.ts';
import { count, date, sha256 } from '../values/primitives.ts';

/** `<kind>/{slice}.segments.json`: the segments of one history of a release, by date ascending (STORE ST8). */
export const segmentList = z.strictObject({
  schema_id: z.literal('history_segments.v1'),
  method_version: z.string(),
  /** Every promoted date up to the slice, ascending, with a row or without. */
  source_dates: z.array(date),
  segments: z.array(
    z.strictObject({
      key: artifactKey,
      sha256,
      bytes: count,
      /** Subjects and dates; a row in several forms counts once. */
      rows: count,
      first_source_date: date,
      last_source_date: date,
    }),
  ),
});

export type SegmentList = z.infer<typeof segmentList>;
export type ListedSegment = SegmentList['segments'][number];

/** Reads a list that was proved to be the stored one; what it says must fit together all the same. */
export function readSegmentList(json: unknown): { readonly value: SegmentList } | { readonly fault: string } {
  const parsed = segmentList.safeParse(json);
  if (!parsed.success) return { fault: 'it is not a list of segments' };
  const { source_dates: dates, segments } = parsed.data;
  const known = new Set(dates);
  const inOrder = segments.every(
    ({ first_source_date: first, last_source_date: last }, i) =>
      first <= last &&
      known.has(first) &&
      known.has(last) &&
      (segments[i - 1]?.last_source_date ?? '') < first,
  );
  const ascending = dates.every((one, i) => i === 0 || (dates[i - 1] ?? '') < one);
  return inOrder && ascending ? { value: parsed.data } : { fault: 'its segments are out of order' };
}

/** Which dates one segment of a history holds. */
export type PlannedSegment = {
  /** Names it: a date while its month is open, else a month `YYYY-MM`. */
  readonly period: string;
  readonly dates: readonly string[];
};

/**
 * The segments of the histories of a release: one a date in the month of its slice, one a month before it (STORE ST7).
 *
 * @param dates promoted dates up to the slice, ascending
 */
export function segmentPlan({
  sourceDate,
  dates,
}: {
  sourceDate: string;
  dates: readonly string[];
}): PlannedSegment[] {
  const open = monthOf(sourceDate);
  const byPeriod = Map.groupBy(dates, (date) => (monthOf(date) === open ? date : monthOf(date)));
  return [...byPeriod].map(([period, held]) => ({ period, dates: held }));
}

function monthOf(date: string): string {
  return date.slice(0, 7);
}
