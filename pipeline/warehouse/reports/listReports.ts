import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../build/readRows.ts';
import type { ListedReport } from './readReport.ts';

/** Current reports of the list of submissions, by `<cik>/<accession>`. */
export async function listReports(connection: DuckDBConnection): Promise<ReadonlyMap<string, ListedReport>> {
  const rows = await readRows(
    connection,
    `SELECT cik, accession, min(form) AS form, max(items) AS items, max(filed)::VARCHAR AS filed,
      strftime(max(accepted_at), '%Y-%m-%dT%H:%M:%SZ') AS accepted_at, max(primary_document) AS primary_document
    FROM submission_filing WHERE form IN ('8-K', '8-K/A', '6-K', '6-K/A')
    GROUP BY cik, accession`,
  );
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return new Map(
    rows.map((row) => [
      `${String(row['cik'])}/${String(row['accession'])}`,
      {
        form: String(row['form']),
        filed: String(row['filed']),
        acceptedAt: text(row['accepted_at']),
        items: (text(row['items']) ?? '').split(',').filter((item) => item !== ''),
        primaryDocument: text(row['primary_document']),
      },
    ]),
  );
}
