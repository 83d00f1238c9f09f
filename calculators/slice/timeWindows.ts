import type { ReadinessArtifact } from '../../data/contract/payloads/universe/readiness.ts';
import { addDays } from '../exact/civilDate.ts';

/** A slice and the issuers that have a row in it. */
export type SliceMembership = { readonly sourceDate: string; readonly ciks: readonly string[] };

/** Slices, rows and issuers of the last day, week (7 days) and month (30 days), ends included (I2.46). */
export function timeWindows(
  slices: readonly SliceMembership[],
  sourceDate: string,
): ReadinessArtifact['time_windows'] {
  return {
    latest_day: window('latest_day', 1),
    latest_week: window('latest_week', 7),
    latest_month: window('latest_month', 30),
  };

  function window<L extends string>(label: L, days: number) {
    const from = addDays(sourceDate, 1 - days);
    const inside = slices.filter((slice) => slice.sourceDate >= from && slice.sourceDate <= sourceDate);
    return {
      label,
      date_from: from,
      date_to: sourceDate,
      source_date_count: new Set(inside.map((slice) => slice.sourceDate)).size,
      row_count: inside.reduce((rows, slice) => rows + slice.ciks.length, 0),
      distinct_issuer_count: new Set(inside.flatMap((slice) => slice.ciks)).size,
    };
  }
}
