import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../build/readRows.ts';

/** Selects the tickers EDGAR lists today with their CIK; a ticker listed for two registrants means neither. */
export async function selectListedTickers(connection: DuckDBConnection): Promise<Map<string, string>> {
  const rows = await readRows(
    connection,
    'SELECT ticker, min(cik) AS cik FROM listed_ticker GROUP BY ticker HAVING count(DISTINCT cik) = 1 ORDER BY ticker',
  );
  return new Map(rows.map((row) => [String(row['ticker']), String(row['cik'])]));
}
