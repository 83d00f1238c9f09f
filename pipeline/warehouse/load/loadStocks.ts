import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { insertRows } from '../build/insertRows.ts';
import {
  fingerprintOf,
  type KnownInputs,
  type Loaded,
  loadInput,
  readText,
  refusedFile,
} from './inputFile.ts';
import { parseCloses } from './loadPrices.ts';

const maxBytes = 64 * 1024 * 1024;

export const stockTables = ['stock_close'] as const;

/** Loads one table of a stock's daily closes, `<TICKER>.csv` (columns date, ticker, close, source; licence where it is known). */
export async function loadStocks(
  connection: DuckDBConnection,
  path: string,
  known?: KnownInputs,
): Promise<Loaded> {
  const name = `stocks/${basename(path)}`;
  const read = async () => {
    const text = await readText(path, maxBytes);
    const { closes, refused } = parseCloses({ path, name, text, subject: 'ticker' });
    if (closes.length === 0) throw refusedFile(path, 'holds no close that can be used');
    const rows = closes.map((c) => [name, c.date, c.asset, c.close, c.source, c.licence]);
    return { refused, insert: () => insertRows(connection, { table: 'stock_close', rows }) };
  };
  const file = { name, fingerprint: await fingerprintOf(path), tables: stockTables, read };
  return loadInput(connection, file, known);
}
