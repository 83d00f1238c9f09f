import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../warehouse/build/readRows.ts';
import type { RefusedNumber } from './unitsTree.ts';

const shown = 12;

/** What was read in a filing and refused, at most twelve in document order; none in a build without that view. */
export async function refusedNumbers(
  connection: DuckDBConnection,
  accession: string,
): Promise<RefusedNumber[]> {
  const views = await readRows(
    connection,
    "SELECT 1 AS there FROM duckdb_views() WHERE view_name = 'refused_statements'",
  );
  if (views.length === 0) return [];
  const rows = await readRows(
    connection,
    `SELECT reason, document, block::INTEGER AS block, left(quote, 600) AS quote FROM refused_statements
    WHERE accession = $accession ORDER BY document, block, quote LIMIT ${shown}`,
    { accession },
  );
  return rows.map((row) => ({
    reason: String(row['reason']),
    document: String(row['document']),
    block: Number(row['block']),
    quote: String(row['quote']),
  }));
}
