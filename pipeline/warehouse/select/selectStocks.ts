import type { DuckDBConnection } from '@duckdb/node-api';
import type { Split } from '../../../calculators/prices/splits.ts';
import { hasUnknownSplit, type StockRow } from '../../../calculators/prices/stockBook.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { readRows } from '../build/readRows.ts';

/** An issuer whose close is asked for on some days. */
export type AskedStock = {
  readonly cik: string;
  readonly ticker: string;
  readonly days: readonly string[];
};

/**
 * Splits by CIK as any filing of the issuer states them on one day (M18.44). A filing made later than the day asked tells
 * of which basis the file of closes is, and nothing else.
 */
export async function selectSplits(
  connection: DuckDBConnection,
  ciks: readonly string[],
): Promise<ReadonlyMap<string, readonly Split[]>> {
  const rows = await readRows<{ cik: string; date: string; ratio: number }>(
    connection,
    `SELECT DISTINCT e.cik, f.end_date::VARCHAR AS date, f.value AS ratio
    FROM fact f JOIN fact_series s USING (series_id) JOIN fact_entity e ON e.cik_number = f.cik
    WHERE s.taxonomy = 'us-gaap' AND s.concept = 'StockholdersEquityNoteStockSplitConversionRatio1'
      AND (f.start_date = DATE '-infinity' OR f.end_date - f.start_date <= 5)
      AND e.cik IN (SELECT unnest(from_json($ciks::JSON, '["VARCHAR"]')))
    ORDER BY e.cik, date, ratio`,
    { ciks: JSON.stringify(ciks) },
  );
  return new Map(
    [...Map.groupBy(rows, ({ cik }) => cik)].map(([cik, own]) => [
      cik,
      own.map(({ date, ratio }) => ({ date, ratio, source: 'fact' })),
    ]),
  );
}

/** Tickers that a file of closes is there for. */
export async function selectStockTickers(connection: DuckDBConnection): Promise<ReadonlySet<string>> {
  const rows = await readRows<{ ticker: string }>(connection, 'SELECT DISTINCT ticker FROM stock_close');
  return new Set(rows.map(({ ticker }) => ticker));
}

/** Days beside a split that say on which basis a series is. */
const daysBefore = 6;
const daysAfter = 121;

/** Closes that the asked days need, and those around splits; nothing else of the tables is read. */
export async function selectStockRows(
  connection: DuckDBConnection,
  asked: readonly (AskedStock & { readonly splits: readonly Split[] })[],
): Promise<StockRow[]> {
  const windows = asked.flatMap(({ ticker, days, splits }) => [
    ...days.map((day) => ({ ticker, day, before: 4, after: 0 })),
    ...splits.map(({ date }) => ({ ticker, day: date, before: daysBefore, after: daysAfter })),
  ]);
  return readRows(
    connection,
    `SELECT DISTINCT c.ticker, c.date::VARCHAR AS date, c.close, c.source, c.licence
    FROM stock_close c JOIN (SELECT unnest(from_json($windows::JSON,
      '[{"ticker": "VARCHAR", "day": "DATE", "before": "INTEGER", "after": "INTEGER"}]'), max_depth := 2)) w
      ON w.ticker = c.ticker AND c.date BETWEEN w.day - w.before AND w.day + w.after
    ORDER BY c.ticker, date, c.source`,
    { windows: JSON.stringify(windows) },
  );
}

/**
 * By CIK the day of the newest cover before which closes have no known basis: two covers a whole ratio apart and no split
 * between them (M18.48).
 */
export async function selectUnknownBases(
  connection: DuckDBConnection,
  {
    splits,
    ciks,
  }: { readonly splits: ReadonlyMap<string, readonly Split[]>; readonly ciks: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows<{ cik: string; date: string; count: number }>(
    connection,
    `SELECT e.cik, f.end_date::VARCHAR AS date, arg_max(f.value, f.filed) AS count
    FROM fact f JOIN fact_series s USING (series_id) JOIN fact_entity e ON e.cik_number = f.cik
    WHERE s.taxonomy = 'dei' AND s.concept = 'EntityCommonStockSharesOutstanding' AND s.unit = 'shares'
      AND f.value > 0 AND e.cik IN (SELECT unnest(from_json($ciks::JSON, '["VARCHAR"]')))
    GROUP BY ALL ORDER BY e.cik, date`,
    { ciks: JSON.stringify(ciks) },
  );
  const unknown = new Map<string, string>();
  const cover = ({ date, count }: (typeof rows)[number]) => ({ date, count: ExactDecimal.fromNumber(count) });
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1];
    if (before?.cik !== row.cik) continue;
    const pair = { earlier: cover(before), later: cover(row), splits: splits.get(row.cik) ?? [] };
    if (hasUnknownSplit(pair)) unknown.set(row.cik, row.date);
  }
  return unknown;
}
