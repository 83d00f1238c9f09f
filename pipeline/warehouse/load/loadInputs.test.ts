import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../../fixtures/rigs/handMadeWarehouse.ts';
import { readRows } from '../build/readRows.ts';
import { loadFilingFolders } from './loadFilingFolders.ts';
import { parseInstanceIndex } from './loadInstanceIndex.ts';
import { loadPriceFile } from './loadPrices.ts';
import { parseTickers } from './loadTickers.ts';
import { parseSubmissions } from './parseSubmissions.ts';

const { closeBounds } = registryParameters;

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

const columns = {
  accessionNumber: ['0001193125-25-262568', '0000950170-25-000001'],
  filingDate: ['2025-11-03', '2025-02-18'],
  reportDate: ['2025-09-30', ''],
  acceptanceDateTime: ['2025-11-03T12:01:37.000Z', ''],
  form: ['10-Q', '8-K'],
  items: ['', '2.02'],
  isXBRL: [1, 0],
  primaryDocument: ['mstr-20250930.htm', ''],
};
const entity = {
  cik: '0001050446',
  name: 'Strategy Inc',
  sic: '6199',
  tickers: ['MSTR'],
  exchanges: ['Nasdaq', null],
};
const read = (json: unknown, name = 'CIK0001050446.json') =>
  parseSubmissions({ name, input: 'here', text: typeof json === 'string' ? json : JSON.stringify(json) });

describe('parseSubmissions', () => {
  it('reads the registrant and its columns of filings, blanks as null', () => {
    expect(read({ ...entity, filings: { recent: columns } })).toEqual({
      entity: ['here', '0001050446', 'Strategy Inc', '6199', null, null, null, ['MSTR'], ['Nasdaq']],
      filings: [
        [
          'here',
          '0001050446',
          '0001193125-25-262568',
          '10-Q',
          '2025-11-03',
          // noon fits New York and UTC: the later reading (M1.44d)
          '2025-11-03 17:01:37',
          '2025-09-30',
          null,
          true,
          'mstr-20250930.htm',
          null,
          null,
          'later_reading',
        ],
        [
          ...['here', '0001050446', '0000950170-25-000001', '8-K', '2025-02-18', null, null, '2.02', false],
          ...[null, null, null, null],
        ],
      ],
    });
    const page = read(columns, 'CIK0001050446-submissions-001.json');
    expect(page.entity).toBeNull();
    expect(page.filings).toHaveLength(2);
  });

  it.each([
    ['{"cik":', /not JSON/],
    ['[]', /not an object/],
    [{ ...entity, cik: 1, filings: { recent: columns } }, /cik inside/],
    [{ ...entity, filings: { recent: { ...columns, form: ['10-Q'] } } }, /column form has another length/],
    [{ ...entity, filings: { recent: { ...columns, form: undefined } } }, /column form is missing/],
    [
      { ...entity, filings: { recent: { ...columns, filingDate: ['2025-02-30', '2025-02-18'] } } },
      /no filing date/,
    ],
    [{ ...entity, filings: { recent: { ...columns, accessionNumber: ['x', 'y'] } } }, /no accession number/],
    [
      { ...entity, filings: { recent: { ...columns, acceptanceDateTime: ['yesterday', ''] } } },
      /acceptance instant/,
    ],
    [{ ...entity, filings: null }, /filings is not an object/],
  ])('refuses a damaged file (%#)', (json, message) => {
    expect(() => read(json)).toThrow(message);
  });
});

describe('parseInstanceIndex', () => {
  it("lets the index's own mark decide about a placeholder (M1.45) and refuses bad rows by line", () => {
    const { rows, refused } = parseInstanceIndex(
      'index.csv',
      [
        'file,cik,form,period,accn,accn_status,filed',
        'a,827876,10-Q,2024-03-31,0000000000-24-018615,PLACEHOLDER,2024-05-09',
        'b,827876,10-Q,2024-06-30,0000000000-24-018647,real,2024-08-09',
        'c,827876,10-Q,,0000000000-24-018648,,2024-08-09',
        'd,x,10-Q,,0000000000-24-018648,,2024-08-09',
        'e,1,10-Q,,24-018648,,2024-08-09',
        'f,1,10-Q,2024-13-01,0000000000-24-018648,,2024-08-09',
        'g,1,10-Q,,0000000000-24-018648,,soon',
      ].join('\n'),
    );
    expect(rows.map((row) => [row[1], row[3], row[5]])).toEqual([
      ['0000827876', 'placeholder', '2024-03-31'],
      ['0000827876', 'filed', '2024-06-30'],
      ['0000827876', null, null],
    ]);
    expect(refused.map((r) => r.name)).toEqual([5, 6, 7, 8].map((n) => `edgar/instances/index.csv:${n}`));
  });
});

describe('a name that drives a terminal', () => {
  const name = '\u001b[31mStrategy\u202e\n Inc\u0007';

  it('is stored plain from submissions and from the ticker list', () => {
    expect(read({ ...entity, name, filings: { recent: columns } }).entity?.[2]).toBe('[31mStrategy Inc');
    const text = JSON.stringify({
      fields: ['cik', 'name', 'ticker', 'exchange'],
      data: [[1050446, name, 'MSTR', 'Nasdaq']],
    });
    expect(parseTickers('t.json', text).rows[0]?.[3]).toBe('[31mStrategy Inc');
  });
});

describe('parseTickers', () => {
  it('reads rows by field name, pads CIKs and keeps a null exchange', () => {
    const text = JSON.stringify({
      fields: ['name', 'cik', 'exchange', 'ticker'],
      data: [
        ['NVIDIA CORP', 1045810, 'Nasdaq', 'NVDA'],
        ['Nano Labs', 1, null, 'NA'],
        ['bad', -1, null, 'X'],
        ['short'],
      ],
    });
    const { rows, refused } = parseTickers('t.json', text);
    expect(rows.map((row) => row.slice(1))).toEqual([
      ['0001045810', 'NVDA', 'NVIDIA CORP', 'Nasdaq'],
      ['0000000001', 'NA', 'Nano Labs', null],
    ]);
    expect(refused.map((r) => r.name)).toEqual([
      'edgar/company_tickers_exchange.json[2]',
      'edgar/company_tickers_exchange.json[3]',
    ]);
    expect(() => parseTickers('t.json', '{}')).toThrow('fields and data');
    expect(() => parseTickers('t.json', '{"fields":["cik"],"data":[]}')).toThrow('lacks the field name');
  });
});

describe('loading an input', () => {
  it('reads a file again only when its bytes changed, and keeps the old rows when the new file is useless', async () => {
    const path = join(warehouse.root, 'BTC.csv');
    const closes = () =>
      readRows(warehouse.connection, 'SELECT close, source FROM price_close ORDER BY date');
    await writeFile(path, 'date,asset,close,source\n2025-10-01,BTC,5,a\n2025-10-02,BTC,-1,a\n');
    const first = await loadPriceFile(warehouse.connection, { path, closeBounds: null });
    expect(first).toMatchObject({ rows: 1, unchanged: false, refused: [{ name: 'prices/BTC.csv:3' }] });
    expect(await loadPriceFile(warehouse.connection, { path, closeBounds: null })).toEqual({
      ...first,
      unchanged: true,
    });
    await writeFile(path, 'date,asset,close,source\n2025-10-01,BTC,6,a\n');
    expect(await loadPriceFile(warehouse.connection, { path, closeBounds: null })).toMatchObject({
      rows: 1,
      unchanged: false,
      refused: [],
    });
    expect(await closes()).toEqual([{ close: 6, source: 'a' }]);
    await writeFile(path, Buffer.from([0xff, 0xfe, 0x00]));
    const broken = await loadPriceFile(warehouse.connection, { path, closeBounds: null });
    expect(broken.refused).toEqual([
      { name: 'prices/BTC.csv', reason: `The input ${path} is not UTF-8.`, kept: true },
    ]);
    expect(await closes()).toEqual([{ close: 6, source: 'a' }]);
  });

  it('refuses a table that rewrites its closes and keeps them', async () => {
    const path = join(warehouse.root, 'BTC.csv');
    const write = (closes: readonly number[]) =>
      writeFile(
        path,
        ['date,asset,close,source', ...closes.map((close, i) => `2025-10-${10 + i},BTC,${close},yahoo`)].join(
          '\n',
        ),
      );
    const load = () => loadPriceFile(warehouse.connection, { path, closeBounds });
    const held = () => readRows(warehouse.connection, 'SELECT close FROM price_close ORDER BY date');
    const closes = Array.from({ length: 20 }, (_, i) => 100 + i);
    await write(closes);
    expect(await load()).toMatchObject({ rows: 20, refused: [] });
    await write([...closes.map((close) => close * 1000), 121_000]);
    expect((await load()).refused).toEqual([
      {
        name: 'prices/BTC.csv',
        reason:
          `The input ${path} gives 20 of 20 closes another value than before, that of 2025-10-10 from yahoo ` +
          '100000 instead of 100.',
        kept: true,
      },
    ]);
    expect(await held()).toEqual(closes.map((close) => ({ close })));
    // two of twenty are a correction
    await write([...closes.slice(0, 18), 1180, 1190, 121]);
    expect(await load()).toMatchObject({ rows: 21, refused: [] });
  });

  it('names an input that went away between listing and reading, rather than an unwritable store', async () => {
    const path = join(warehouse.root, 'BTC.csv');
    await expect(loadPriceFile(warehouse.connection, { path, closeBounds: null })).rejects.toMatchObject({
      code: 'input_missing',
      message: `The input ${path} cannot be read (ENOENT).`,
    });
  });

  it('lists filing folders and refuses one with another name', async () => {
    const root = join(warehouse.root, 'filings');
    for (const name of ['1318605/000162828024032662', '1318605/drafts', 'tesla/000162828024032662']) {
      await mkdir(join(root, name), { recursive: true });
    }
    const loaded = await loadFilingFolders(warehouse.connection, root);
    expect(loaded.refused.map((r) => r.name)).toEqual([
      'edgar/filings/1318605/drafts',
      'edgar/filings/tesla',
    ]);
    expect(await readRows(warehouse.connection, 'SELECT cik, accession FROM folder_filing')).toEqual([
      { cik: '0001318605', accession: '0001628280-24-032662' },
    ]);
    expect((await loadFilingFolders(warehouse.connection, root)).unchanged).toBe(true);
  });
});
