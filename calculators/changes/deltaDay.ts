import type { DeltaDay } from '../../data/contract/payloads/universe/dailyChanges.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { ArchiveScan } from './changeGate.ts';

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
