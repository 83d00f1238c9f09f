import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSql } from '../build/readRows.ts';
import { selectSplits, selectStockRows, selectUnknownBases } from '../select/selectStocks.ts';
import { parseCloses } from './loadPrices.ts';

const sqlFolder = new URL('../../../data/sql/', import.meta.url);

describe('a table of closes of a stock', () => {
  const parse = (text: string) =>
    parseCloses({ path: '/in/stocks/KULR.csv', name: 'stocks/KULR.csv', text, subject: 'ticker' }).closes;

  it('says under which licence, where it has the column', () => {
    const head = 'date,ticker,close,source,licence';
    const rows = ['2025-09-30,KULR,4.16,own,"CC BY 4.0"', '2025-10-01,KULR,4.2,own,'];
    expect(parse([head, ...rows].join('\n')).map(({ date, licence }) => [date, licence])).toEqual([
      ['2025-09-30', 'CC BY 4.0'],
      ['2025-10-01', null],
    ]);
  });

  it('is read without it, and the licence is unknown', () => {
    expect(
      parse('date,ticker,close,source\n2025-09-30,KULR,4.16,own\n').map(({ licence }) => licence),
    ).toEqual([null]);
  });
});

describe('raw closes of stocks (M18.48)', () => {
  it('are named by no view but for their number and newest day', async () => {
    const names = (await readdir(sqlFolder, { recursive: true })).filter((name) => name.endsWith('.sql'));
    const lines: string[] = [];
    for (const name of names) {
      const text = await readFile(new URL(name, sqlFolder), 'utf8');
      // statements that make a view, among others of the script
      for (const statement of text.split(/;\s*\n/)) {
        if (!/CREATE (OR REPLACE )?(TEMP )?(VIEW|MACRO)/.test(statement)) continue;
        for (const line of statement.split('\n')) {
          if (/\b(stock_close|market_close)\b/.test(line)) lines.push(`${name}: ${line.trim()}`);
        }
      }
    }
    expect(lines).toEqual([
      "analystViews.sql: SELECT 'stocks', 'daily closes of stocks', count(*), max(date), NULL FROM internal.stock_close",
    ]);
  });
});

describe('what a slice reads of stocks', () => {
  let folder = '';
  let instance: DuckDBInstance;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stocks-'));
    instance = await DuckDBInstance.create(join(folder, 'test.duckdb'));
  });
  afterEach(async () => {
    instance.closeSync();
    await rm(folder, { recursive: true });
  });

  async function connected() {
    const connection = await instance.connect();
    await connection.run('CREATE SCHEMA internal; USE internal');
    for (const script of ['facts.sql', 'stocks.sql']) await connection.run(await readSql(script));
    return connection;
  }

  it('is the days asked with four before, and what lies around splits', async () => {
    const connection = await connected();
    await connection.run(`INSERT INTO stock_close BY NAME
      SELECT 'stocks/X.csv' AS input, DATE '2025-01-01' + i::INTEGER AS date, 'X' AS ticker, 1 + i AS close,
        'own' AS source, 'CC0' AS licence FROM range(365) t(i)`);
    const asked = { cik: '0000000001', ticker: 'X', days: ['2025-01-31'] };
    const days = async (splits: readonly string[]) =>
      (
        await selectStockRows(connection, [
          { ...asked, splits: splits.map((date) => ({ date, ratio: 2, source: 'registry' as const })) },
        ])
      ).map(({ date }) => date);
    expect(await days([])).toEqual(['2025-01-27', '2025-01-28', '2025-01-29', '2025-01-30', '2025-01-31']);
    expect((await days(['2025-06-23'])).slice(5, 7)).toEqual(['2025-06-17', '2025-06-18']);
    expect((await days(['2025-06-23'])).at(-1)).toBe('2025-10-22');
    const [first] = await selectStockRows(connection, [{ ...asked, splits: [] }]);
    expect(first).toEqual({ ticker: 'X', date: '2025-01-27', close: 27, source: 'own', licence: 'CC0' });
    connection.closeSync();
  });

  it('is the splits of all filings, those of a longer period not, and the covers that one explains', async () => {
    const connection = await connected();
    await connection.run("INSERT INTO fact_entity VALUES (1, '0000000001', 'One'), (2, '0000000002', 'Two')");
    await connection.run(`INSERT INTO fact_series VALUES
      (1, 'us-gaap', 'StockholdersEquityNoteStockSplitConversionRatio1', 'pure'),
      (2, 'dei', 'EntityCommonStockSharesOutstanding', 'shares')`);
    const fact = (cik: number, series: number, value: number, end: string, start = '-infinity') =>
      connection.run(`INSERT INTO fact BY NAME SELECT ${cik} AS cik, 100012525000001 AS accession, ${series} AS series_id,
        ${value} AS value, DATE '${start}' AS start_date, DATE '${end}' AS end_date, DATE '${end}' AS filed`);
    await fact(1, 1, 0.125, '2025-06-23', '2025-06-23');
    await fact(1, 1, 10, '2024-05-31', '2024-05-01');
    for (const cik of [1, 2]) {
      await fact(cik, 2, 298466335, '2025-05-15');
      await fact(cik, 2, 41108543, '2025-08-12');
    }
    const ciks = ['0000000001', '0000000002'];
    const splits = await selectSplits(connection, ciks);
    expect([...splits]).toEqual([['0000000001', [{ date: '2025-06-23', ratio: 0.125, source: 'fact' }]]]);
    expect([...(await selectUnknownBases(connection, { splits, ciks }))]).toEqual([
      ['0000000002', '2025-08-12'],
    ]);
    connection.closeSync();
  });
});
