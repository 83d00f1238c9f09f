import type { DuckDBConnection } from '@duckdb/node-api';
import type { Closes } from '../../calculators/market/baskets/constituentPrice.ts';
import { readRows } from '../warehouse/build/readRows.ts';

type Close = { readonly date: string; readonly close: number };

/** The closes of constituents that the factor rows are computed from, ascending by date. */
export async function readCloses(connection: DuckDBConnection): Promise<Closes> {
  const rows = await readRows(
    connection,
    'SELECT kind, ticker, date::VARCHAR AS date, close FROM market_close ORDER BY kind, ticker, date',
  );
  const closes = { coin: new Map<string, Close[]>(), stock: new Map<string, Close[]>() };
  for (const row of rows) {
    const series = closes[row['kind'] as keyof typeof closes];
    const ticker = String(row['ticker']);
    const held = series.get(ticker) ?? [];
    if (held.length === 0) series.set(ticker, held);
    held.push({ date: String(row['date']), close: Number(row['close']) });
  }
  return closes;
}
