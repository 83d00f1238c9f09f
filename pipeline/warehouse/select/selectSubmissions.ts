import type { DuckDBConnection } from '@duckdb/node-api';
import type { IssuerSubmissions } from '../../../calculators/age/currentReports.ts';
import { readRows } from '../build/readRows.ts';

/** Rows of one file of the list: EDGAR puts the older ones into pages, which may be missing. */
const rowsPerFile = 1000;

/**
 * What the list of submissions holds of the registrants of the universe: current and periodic reports, and the ends of
 * registrations of any day; by CIK. A registrant the list does not have is absent.
 */
export async function selectSubmissions(
  connection: DuckDBConnection,
): Promise<ReadonlyMap<string, IssuerSubmissions>> {
  const listed = await readRows<{ cik: string; from: string; n: number }>(
    connection,
    `SELECT cik, min(filed)::VARCHAR AS "from", count(*)::INTEGER AS n
    FROM submission_filing SEMI JOIN universe_issuer USING (cik) GROUP BY cik`,
  );
  const rows = await readRows<IssuerSubmissions['filings'][number]>(
    connection,
    `SELECT cik, accession, min(form) AS form, coalesce(string_split(max(items), ','), []) AS items,
      max(filed)::VARCHAR AS filed, max(greatest(filed, accepted_at::DATE))::VARCHAR AS "knownOn"
    FROM submission_filing SEMI JOIN universe_issuer USING (cik)
    WHERE regexp_matches(form, '^(8-K|6-K|10-K|10-Q|20-F|40-F|15)')
    GROUP BY cik, accession ORDER BY cik, accession`,
  );
  const byCik = Map.groupBy(rows, ({ cik }) => cik);
  return new Map(
    listed.map(({ cik, from, n }) => [cik, { filings: byCik.get(cik) ?? [], from, isCut: n >= rowsPerFile }]),
  );
}
