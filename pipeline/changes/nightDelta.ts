import type { DuckDBConnection } from '@duckdb/node-api';
import type { BusinessCalendar, DeltaDates } from '../../calculators/changes/businessCalendar.ts';
import { type ArchiveScan, changeGate, type GateVerdict } from '../../calculators/changes/changeGate.ts';
import type { SeriesChange } from '../../calculators/changes/companyChange.ts';
import { tagFamily, trackedFamilies } from '../../calculators/changes/tagFamily.ts';
import type { Issuer } from '../../calculators/filing/rows.ts';
import type { Concepts } from '../../calculators/parameters/concepts.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { type EarlierNights, selectEarlierNights, selectScans, selectSeriesChanges } from './selectNight.ts';

/** What one night's scan changed and what the daily-change gate says of it, before anything else is computed. */
export type NightDelta = {
  readonly sourceDate: string;
  /** The scan of the night itself; null when no archive was compared for it. */
  readonly scan: ArchiveScan | null;
  /** Every scan up to the night, oldest first. */
  readonly scans: readonly ArchiveScan[];
  readonly series: ReadonlyMap<string, readonly SeriesChange[]>;
  readonly verdict: GateVerdict;
  readonly earlier: EarlierNights;
  readonly calendar: BusinessCalendar;
  readonly dates: DeltaDates;
};

/** Reads what the scan of a night changed and puts it through the daily-change gate (M6.6). */
export async function nightDelta(
  connection: DuckDBConnection,
  {
    sourceDate,
    issuers,
    calendar,
    parameters,
  }: {
    sourceDate: string;
    issuers: readonly Issuer[];
    calendar: BusinessCalendar;
    parameters: Parameters;
  },
): Promise<NightDelta> {
  const scans = await selectScans(connection, sourceDate);
  const scan = scans.find((one) => one.date === sourceDate) ?? null;
  const series = await selectSeriesChanges(connection, sourceDate);
  const earlier = await selectEarlierNights(connection, sourceDate);
  const verdict = changeGate({
    scan,
    earlier: scans.filter((one) => one.date < sourceDate),
    meaningfulRows: issuers.reduce(
      (sum, { cik }) => sum + meaningfulRows(series.get(cik) ?? [], parameters.concepts),
      0,
    ),
    calendar,
    parameters,
  });
  const byIssuer = new Map(earlier.passedByIssuer);
  if (verdict.passed) for (const cik of series.keys()) byIssuer.set(cik, sourceDate);
  const baseline = scans.find((one) => one.status === 'baseline')?.date ?? null;
  return {
    sourceDate,
    scan,
    scans,
    series,
    verdict,
    earlier,
    calendar,
    dates: { byIssuer, baseline },
  };
}

/** Added or revised rows of an issuer of the universe in a tracked family (M6.6). */
function meaningfulRows(series: readonly SeriesChange[], concepts: Concepts): number {
  const isTracked = (one: SeriesChange) =>
    trackedFamilies.has(tagFamily(one, { holdsCoins: true, concepts }));
  return series
    .filter((one) => one.kind !== 'removed' && isTracked(one))
    .reduce((sum, one) => sum + one.rows, 0);
}
