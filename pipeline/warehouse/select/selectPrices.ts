import type { DuckDBConnection } from '@duckdb/node-api';
import type { PriceRow } from '../../../calculators/filing/rows.ts';
import { readRows } from '../build/readRows.ts';

/** A close that is not used, with the sentence about it. */
export type RefusedCloseRow = {
  readonly asset: string;
  readonly date: string;
  readonly source: string;
  readonly close: number;
  readonly reason: string;
};

/** Closes of some last days up to and including a day that are not used (M2.13b). */
export async function selectRefusedCloses(
  connection: DuckDBConnection,
  { from, upTo }: { readonly from: string; readonly upTo: string },
): Promise<RefusedCloseRow[]> {
  return readRows(
    connection,
    `SELECT asset, strftime(date, '%Y-%m-%d') AS date, source, close, reason
    FROM close_refused WHERE date BETWEEN $from::DATE AND $upTo::DATE ORDER BY asset, close_refused.date, source`,
    { from, upTo },
  );
}

/** The day of the newest plausible close of each asset up to and including a day. */
export async function selectNewestCloses(
  connection: DuckDBConnection,
  { upTo }: { readonly upTo: string },
): Promise<{ asset: string; date: string }[]> {
  return readRows(
    connection,
    `SELECT asset, strftime(max(date), '%Y-%m-%d') AS date
    FROM price_close ANTI JOIN close_refused USING (asset, date, source)
    WHERE date <= $day::DATE GROUP BY asset ORDER BY asset`,
    { day: upTo },
  );
}

/**
 * Selects every close of every source up to and including a day, in the order (asset, date, source), with those that
 * are not plausible marked (M2.13b, M10.2).
 */
export async function selectPrices(
  connection: DuckDBConnection,
  { upTo }: { readonly upTo: string },
): Promise<PriceRow[]> {
  const rows = await readRows<PriceRow & { refused: boolean }>(
    connection,
    `SELECT strftime(p.date, '%Y-%m-%d') AS date, p.asset, p.close, p.source, r.asset IS NOT NULL AS refused
    FROM price_close p LEFT JOIN close_refused r USING (asset, date, source)
    WHERE p.date <= $day::DATE ORDER BY p.asset, p.date, p.source`,
    { day: upTo },
  );
  return rows.map(({ refused, ...row }) => (refused ? { ...row, refused } : row));
}
