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
