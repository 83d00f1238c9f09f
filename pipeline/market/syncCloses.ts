import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../warehouse/build/readRows.ts';
import { readSql } from '../warehouse/build/readSql.ts';

/** A constituent and the first day whose close is another than before. */
export type ChangedClose = { readonly kind: string; readonly ticker: string; readonly from: string };

/**
 * Takes over the closes of constituents up to a day, and says where they differ from those the factor rows were computed
 * from. Coins come from view `prices` (M2.13), stocks from their tables, the last source by name where two have a day.
 */
export async function syncCloses(
  connection: DuckDBConnection,
  { upTo }: { readonly upTo: string },
): Promise<readonly ChangedClose[]> {
  await connection.run(`SET VARIABLE market_up_to = '${upTo.replaceAll("'", '')}'::DATE`);
  await connection.run(await readSql('syncCloses.sql'));
  const rows = await readRows(
    connection,
    'SELECT kind, ticker, from_date::VARCHAR AS day FROM changed_close ORDER BY ALL',
  );
  await connection.run('DROP TABLE changed_close');
  return rows.map((row) => ({
    kind: String(row['kind']),
    ticker: String(row['ticker']),
    from: String(row['day']),
  }));
}
