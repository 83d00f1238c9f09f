import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../../warehouse/build/readRows.ts';
import type { FilingCandidate } from './chooseFilingsToFetch.ts';

// companyfacts that know a filing but not its total assets say that it has no balance sheet
const sql = `
  SELECT f.cik, f.accession, f.accession_status, f.form, f.filed::VARCHAR AS filed,
    CASE WHEN NOT f.acceptance_estimated THEN strftime(f.accepted_at, '%Y-%m-%dT%H:%M:%SZ') END AS accepted_at,
    f.period::VARCHAR AS period, s.is_xbrl,
    CASE WHEN f.has_balance_sheet THEN true WHEN f.in_companyfacts THEN false END AS has_balance_sheet
  FROM filings f
  LEFT JOIN (
    SELECT cik, accession, bool_or(is_xbrl) AS is_xbrl FROM submission_filing GROUP BY cik, accession
  ) s USING (cik, accession)
  ORDER BY f.cik, f.accession`;

/** Reads the candidate filings a warehouse knows, of every registrant in it (M1.44). */
export async function warehouseCandidates(connection: DuckDBConnection): Promise<FilingCandidate[]> {
  const rows = await readRows(connection, sql);
  return rows.map((row) => ({
    cik: String(row['cik']),
    accession: String(row['accession']),
    accessionStatus: row['accession_status'] === 'placeholder' ? 'placeholder' : 'filed',
    form: String(row['form']),
    filed: String(row['filed']),
    acceptedAt: textOrNull(row['accepted_at']),
    period: textOrNull(row['period']),
    isXbrl: booleanOrNull(row['is_xbrl']),
    hasBalanceSheet: booleanOrNull(row['has_balance_sheet']),
  }));
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function booleanOrNull(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null;
}
