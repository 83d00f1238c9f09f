import type { DuckDBConnection } from '@duckdb/node-api';
import { isReadReport } from '../../../calculators/currentReports/readSubmission.ts';
import { isPeriodicForm } from '../../../calculators/filing/periodicForms.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { Cell } from '../../warehouse/build/insertRows.ts';
import { readRows } from '../../warehouse/build/readRows.ts';
import { parseSubmissions, SubmissionsFault } from '../../warehouse/load/parseSubmissions.ts';
import { readCentralDirectory } from '../../zip/readCentralDirectory.ts';
import { readZipEntry } from '../../zip/readZipEntry.ts';
import {
  EntryFault,
  openRandomAccessFile,
  type RandomAccessFile,
  type ZipEntry,
} from '../../zip/zipEntry.ts';
import type { FilingCandidate } from './chooseFilingsToFetch.ts';
import type { ReportCandidate } from './chooseReportsToFetch.ts';

const maxEntryBytes = 128 << 20;

/** The candidates an archive gives, and the files of wanted registrants that could not be used. */
export type SubmissionsCandidates = {
  readonly candidates: readonly FilingCandidate[];
  /** Current reports of the same registrants. */
  readonly reports: readonly ReportCandidate[];
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
};

/**
 * Reads the periodic filings of registrants from `submissions.zip`, pages included; what their balance sheets
 * are, submissions do not say (M1.44).
 *
 * @param ciks ten digits each
 * @throws IssuerError `input_missing` when there is no such archive, `bad_archive` when it cannot be trusted.
 */
export function submissionsCandidates({
  archivePath,
  ciks,
}: {
  archivePath: string;
  ciks: readonly string[];
}): SubmissionsCandidates {
  const wanted = new Set(ciks);
  const candidates: FilingCandidate[] = [];
  const reports: ReportCandidate[] = [];
  const file = openArchive(archivePath);
  try {
    const directory = readCentralDirectory({
      file,
      limits: { entryBytes: maxEntryBytes },
      wanted: (name) => wanted.has(name.slice(3, 13)),
    });
    const refused = directory.refused.map(({ name, reason }) => ({ name, reason }));
    for (const entry of directory.entries) {
      try {
        const filings = filingsOf(file, entry).map(candidate);
        const periodic = filings.filter(({ form }) => isPeriodicForm(form));
        candidates.push(...periodic.map(({ items: _, ...filing }) => filing));
        reports.push(...filings.filter(isReadReport));
      } catch (error) {
        const known =
          error instanceof EntryFault || error instanceof SubmissionsFault || error instanceof TypeError;
        if (!known) throw error;
        refused.push({ name: entry.name, reason: error.message });
      }
    }
    return { candidates, reports, refused };
  } finally {
    file.close();
  }
}

function openArchive(path: string): RandomAccessFile {
  try {
    return openRandomAccessFile(path);
  } catch (cause) {
    throw new IssuerError({
      code: 'input_missing',
      message: `The archive ${path} cannot be read.`,
      hint: 'Fetch the EDGAR archives first.',
      details: { path },
      cause,
    });
  }
}

function filingsOf(file: RandomAccessFile, entry: ZipEntry): readonly (readonly Cell[])[] {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(readZipEntry(file, entry));
  return parseSubmissions({ name: entry.name, input: '', text }).filings;
}

/** Reads a row in the order of table `submission_filing`. */
function candidate(row: readonly Cell[]): FilingCandidate & ReportCandidate {
  const [, cik, accession, form, filed, accepted, period, items, isXbrl] = row;
  return {
    ...{ cik: String(cik), accession: String(accession), form: String(form), filed: String(filed) },
    accessionStatus: 'filed',
    acceptedAt: typeof accepted === 'string' ? `${accepted.replace(' ', 'T')}Z` : null,
    period: typeof period === 'string' ? period : null,
    items: typeof items === 'string' ? items.split(',') : [],
    isXbrl: isXbrl === true,
    hasBalanceSheet: null,
  };
}

// companyfacts that know a filing but not its total assets say that it has no balance sheet
const sql = `
  SELECT f.cik, f.accession, f.accession_status AS "accessionStatus", f.form, f.filed::VARCHAR AS filed,
    CASE WHEN NOT f.acceptance_estimated THEN strftime(f.accepted_at, '%Y-%m-%dT%H:%M:%SZ') END AS "acceptedAt",
    f.period::VARCHAR AS period, s.is_xbrl AS "isXbrl",
    CASE WHEN f.has_balance_sheet THEN true WHEN f.in_companyfacts THEN false END AS "hasBalanceSheet"
  FROM filings f
  LEFT JOIN (
    SELECT cik, accession, bool_or(is_xbrl) AS is_xbrl FROM submission_filing GROUP BY cik, accession
  ) s USING (cik, accession)
  ORDER BY f.cik, f.accession`;

/** Reads the candidate filings a warehouse knows, of every registrant in it (M1.44). */
export function warehouseCandidates(connection: DuckDBConnection): Promise<FilingCandidate[]> {
  return readRows(connection, sql);
}
