import type { DeltaDay } from '../../data/contract/payloads/universe/dailyChanges.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { DailyChangeSelector, SnapshotStatus } from '../../data/contract/values/enums.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { type BusinessCalendar, businessDaysAfter } from './businessCalendar.ts';
import type { ArchiveScan, GateReason, GateVerdict } from './changeGate.ts';

/** Which delta a release shows and the selector fields that say so (M6.7, I3.20). */
export type DeltaSelection = {
  /** `delta_source_date`: the date of the delta shown (I3.27). */
  readonly shown: string;
  readonly selector: DailyChangeSelector | null;
  readonly snapshot: SnapshotStatus;
  readonly fallbackReason: string | null;
};

/** Words of a reason, as they follow "because". */
export const gateReasonWords: Readonly<Record<GateReason, string>> = {
  no_scan: 'no companyfacts archive was compared on that day',
  archive_incomplete:
    'the archive of that day lacks more than a tenth of the companies of the scan before it',
  archive_not_compared: 'the archive of that day had no earlier scan to be compared with',
  shards_not_parsed: 'not every company file of the archive could be parsed',
  changed_files_out_of_bounds: 'the number of changed files is out of bounds of the last business days',
  no_meaningful_delta: 'no crypto, debt, cash or equity figure of an issuer of the universe changed',
};

/**
 * Decides the selector fields of a release on `date` by the first row of M6.7 that applies.
 *
 * A delta that passed on an earlier day is shown when the day's own did not; the baseline holds no delta, so it is
 * never shown in place of another one.
 *
 * @param lastPassed newest day before `date` whose delta passed the gate
 * @param ownRows changed rows of the day's own delta
 */
export function selectDelta({
  date,
  scan,
  verdict,
  lastPassed,
  ownRows,
  calendar,
  parameters,
}: {
  date: string;
  scan: ArchiveScan | null;
  verdict: GateVerdict;
  lastPassed: string | null;
  ownRows: number;
  calendar: BusinessCalendar;
  parameters: Pick<Parameters, 'deltaWindow'>;
}): DeltaSelection {
  if (verdict.passed) {
    return { shown: date, selector: 'published_snapshot', snapshot: 'published', fallbackReason: null };
  }
  if (lastPassed !== null) {
    const lag = businessDaysAfter(lastPassed, date, calendar);
    const quiet = verdict.reasons.every((reason) => reason === 'no_meaningful_delta' || reason === 'no_scan');
    return quiet && lag <= parameters.deltaWindow.maxLagBusinessDays
      ? {
          shown: lastPassed,
          selector: 'served_promoted_issuer_delta',
          snapshot: 'meaningful_delta',
          fallbackReason: null,
        }
      : {
          shown: lastPassed,
          selector: 'rolled_back_to_promoted_issuer_delta',
          snapshot: 'rolled_back_to_latest_meaningful_delta',
          fallbackReason: null,
        };
  }
  const active = scan !== null && scan.status === 'compared' && scan.changedFiles > 0;
  if (active && ownRows === 0) {
    return { shown: date, selector: null, snapshot: 'current_companyfacts_activity', fallbackReason: null };
  }
  return {
    shown: date,
    selector: 'fallback_unpublished',
    snapshot: 'fallback_unpublished',
    fallbackReason: verdict.reasons[0] ?? 'no_meaningful_delta',
  };
}

/** A filing whose facts came with a scan (M6.4: a new accession is a filing). */
export type ChangedFiling = {
  readonly cik: string;
  readonly ticker: string | null;
  readonly accession_number: string;
  readonly form: string | null;
  readonly filed: string | null;
  readonly fact_rows: number;
};

/**
 * What the scan of one day saw, the row of a delta window (I2.30). Its change blobs are the company files that differ;
 * a day whose archive was not compared has no summary, which makes a window partial (I3.21).
 */
export function deltaDay(input: {
  scan: ArchiveScan;
  files: readonly string[];
  filings: readonly ChangedFiling[];
}): DeltaDay {
  const summary = input.scan.status === 'compared' || input.scan.status === 'baseline';
  const files = summary ? input.files.toSorted(compareText) : [];
  const filings = summary
    ? input.filings.toSorted(
        (a, b) => compareText(a.cik, b.cik) || compareText(a.accession_number, b.accession_number),
      )
    : [];
  return {
    date: input.scan.date,
    change_blob_count: files.length,
    changed_filing_count: filings.length,
    change_blobs: files,
    changed_filings: filings,
    companyfacts_zip_exists: true,
    summary_exists: summary,
  };
}
