import type { DuckDBConnection } from '@duckdb/node-api';
import { distinctSplits } from '../../calculators/prices/splits.ts';
import { type StockBook, type StockFacts, stockBook } from '../../calculators/prices/stockBook.ts';
import { readSplits } from '../universe/readSplits.ts';
import {
  type AskedStock,
  selectSplits,
  selectStockRows,
  selectStockTickers,
  selectUnknownBases,
} from '../warehouse/select/selectStocks.ts';

/** A stock of the slice: its ticker, its balance-sheet date. */
type Held = {
  readonly issuer: { readonly cik: string; readonly ticker: string | null };
  readonly filing: { readonly period: string };
};

/** Reads the closes of a slice's stocks on their balance-sheet dates and its own (M18.48); nothing where no file is. */
export async function readStockBook(
  connection: DuckDBConnection,
  { held, sourceDate }: { readonly held: readonly Held[]; readonly sourceDate: string },
): Promise<StockBook> {
  const filedTickers = await selectStockTickers(connection);
  const asked = held.flatMap(({ issuer: { cik, ticker }, filing }): AskedStock[] =>
    ticker === null || !filedTickers.has(ticker) ? [] : [{ cik, ticker, days: [filing.period, sourceDate] }],
  );
  if (asked.length === 0) return stockBook([], new Map());
  const ciks = asked.map(({ cik }) => cik);
  const [filed, registered] = [await selectSplits(connection, ciks), await readSplits()];
  const splits = new Map(
    ciks.map((cik) => [cik, distinctSplits([...(registered.get(cik) ?? []), ...(filed.get(cik) ?? [])])]),
  );
  const unknown = await selectUnknownBases(connection, { splits, ciks });
  const rows = await selectStockRows(
    connection,
    asked.map((one) => ({ ...one, splits: splits.get(one.cik) ?? [] })),
  );
  const facts = asked.map(({ cik, ticker }): [string, StockFacts] => [
    ticker,
    { splits: splits.get(cik) ?? [], unknownBefore: unknown.get(cik) ?? null },
  ]);
  return stockBook(rows, new Map(facts));
}
