import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSql } from '../warehouse/build/readRows.ts';
import { readStockBook } from './computeSlice.ts';

let instance: DuckDBInstance;
beforeEach(async () => {
  instance = await DuckDBInstance.create(':memory:');
});
afterEach(() => instance.closeSync());

async function warehouse() {
  const connection = await instance.connect();
  await connection.run('CREATE SCHEMA internal; USE internal');
  for (const script of ['facts.sql', 'stocks.sql']) await connection.run(await readSql(script));
  return connection;
}

const held = [
  { issuer: { cik: '0001050446', ticker: 'MSTR' }, filing: { period: '2024-03-31' } },
  { issuer: { cik: '0001662684', ticker: 'KULR' }, filing: { period: '2024-12-31' } },
  { issuer: { cik: '0000000009', ticker: null }, filing: { period: '2024-12-31' } },
];

// closes of source dat-tracker, adjusted for ten for one and one for eight
const closes: readonly [ticker: string, date: string, close: number][] = [
  ['MSTR', '2024-03-28', 170.46],
  ['MSTR', '2024-08-07', 124.69],
  ['MSTR', '2024-08-08', 135.99],
  ['MSTR', '2024-08-09', 135.37],
  ['KULR', '2024-12-31', 28.4],
  ['KULR', '2025-06-20', 6.92],
  ['KULR', '2025-06-24', 6.54],
  ['KULR', '2025-09-30', 4.16],
];

it('gives closes as traded on the balance-sheet date and the day of the slice, by splits of facts and registry', async () => {
  const connection = await warehouse();
  for (const [ticker, date, close] of closes) {
    await connection.run(
      `INSERT INTO stock_close VALUES ('stocks/${ticker}.csv', '${date}', '${ticker}', ${close}, 'dat-tracker', NULL)`,
    );
  }
  const book = await readStockBook(connection, { held, sourceDate: '2025-09-30' });
  const closeOf = (ticker: string, date: string) => {
    const found = book.close(ticker, date);
    return found.kind === 'none' ? found.reason : `${found.close.date} ${found.close.close}`;
  };
  expect(closeOf('MSTR', '2024-03-31')).toBe('2024-03-28 1704.6');
  expect(closeOf('KULR', '2024-12-31')).toBe('2024-12-31 3.55');
  expect(closeOf('KULR', '2025-09-30')).toBe('2025-09-30 4.16');
  expect(closeOf('MSTR', '2025-09-30')).toBe('price_missing');
  expect(book.splits('KULR').map(({ date, ratio }) => `${date} ${ratio}`)).toEqual(['2025-06-23 0.125']);
  connection.closeSync();
});

it('knows nothing where no closes are', async () => {
  const connection = await warehouse();
  const book = await readStockBook(connection, { held, sourceDate: '2025-09-30' });
  expect(book.close('MSTR', '2024-03-31')).toEqual({ kind: 'none', reason: 'price_missing' });
  connection.closeSync();
});
