import type { DuckDBConnection } from '@duckdb/node-api';
import type { PriceRow } from '../../../calculators/filing/rows.ts';
import { readRows } from '../build/readRows.ts';

/** The day of the newest close of each asset up to and including a day. */
export async function selectNewestCloses(
  connection: DuckDBConnection,
  { upTo }: { readonly upTo: string },
): Promise<{ asset: string; date: string }[]> {
  const rows = await readRows(
    connection,
    `SELECT asset, strftime(max(date), '%Y-%m-%d') AS date FROM price_close
    WHERE date <= $day::DATE GROUP BY asset ORDER BY asset`,
    { day: upTo },
  );
  return rows.map((row) => ({ asset: String(row['asset']), date: String(row['date']) }));
}

/** Selects every close of every source up to and including a day, in the order (asset, date, source) (M10.2). */
export async function selectPrices(
  connection: DuckDBConnection,
  { upTo }: { readonly upTo: string },
): Promise<PriceRow[]> {
  const rows = await readRows(
    connection,
    `SELECT strftime(date, '%Y-%m-%d') AS date, asset, close, source FROM price_close
    WHERE date <= $day::DATE ORDER BY asset, price_close.date, source`,
    { day: upTo },
  );
  return rows.map((row) => ({
    date: String(row['date']),
    asset: String(row['asset']),
    close: Number(row['close']),
    source: String(row['source']),
  }));
}
