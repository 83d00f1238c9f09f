import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type Table, tableFromIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeArrow } from './writeArrow.ts';

let root: string;
let connection: DuckDBConnection;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'arrow-'));
  connection = await (await DuckDBInstance.create(':memory:')).connect();
});
afterAll(async () => {
  connection.closeSync();
  await rm(root, { recursive: true, force: true });
});

async function written(sql: string, comments?: ReadonlyMap<string, string>): Promise<Table> {
  const path = join(root, 'rows.arrow');
  const rows = await writeArrow(connection, { sql, path, ...(comments && { comments }) });
  const table = tableFromIPC(await readFile(path));
  expect(table.numRows).toBe(rows);
  return table;
}

/** Type and values of the one column of a statement. */
async function column(sql: string): Promise<[string, unknown[]]> {
  const table = await written(sql);
  const vector = table.getChildAt(0);
  const values = Array.from(vector ?? [], (value) =>
    // lists and structures as plain values
    JSON.parse(JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}n` : member))),
  );
  return [String(vector?.type), values];
}

/** The integers behind the decimals of the one column of a table. */
function unitsOf(table: Table): bigint[] {
  const words: Uint32Array = table.getChildAt(0)?.data[0]?.values;
  return Array.from({ length: table.numRows }, (_, i) =>
    BigInt.asIntN(
      128,
      words.slice(i * 4, i * 4 + 4).reduceRight((sum, word) => (sum << 32n) + BigInt(word), 0n),
    ),
  );
}

describe('an Arrow file of rows', () => {
  it.each([
    ['an integer', 'VALUES (1::INTEGER), (NULL), (-2147483648)', 'Int32', [1, null, -2147483648]],
    ['a year', 'VALUES (2025::SMALLINT), (NULL)', 'Int16', [2025, null]],
    [
      'a large integer, exactly',
      'VALUES (9007199254740993::BIGINT), (NULL), (-1)',
      'Int64',
      ['9007199254740993n', null, '-1n'],
    ],
    ['a double', 'VALUES (0.1::DOUBLE), (NULL), (-0.5)', 'Float64', [0.1, null, -0.5]],
    ['a boolean', 'VALUES (true), (NULL), (false)', 'Bool', [true, null, false]],
    ['a text', "VALUES ('a'), (NULL), (''), ('é漢😀')", 'Utf8', ['a', null, '', 'é漢😀']],
    ['a text that is JSON', `SELECT '{"a":1}'::JSON`, 'Utf8', ['{"a":1}']],
    ['a list', "VALUES (['BTC', NULL]), (NULL), ([])", 'List<Utf8>', [['BTC', null], null, []]],
    [
      'structures in a list',
      "VALUES ([{axis: 'a', typed: true}]), ([{axis: NULL, typed: NULL}])",
      'List<Struct<{axis:Utf8, typed:Bool}>>',
      [[{ axis: 'a', typed: true }], [{ axis: null, typed: null }]],
    ],
    ['what Arrow is not told of, as text', "SELECT INTERVAL '1 day'", 'Utf8', ['1 day']],
  ])('holds %s', async (_, sql, type, values) => {
    expect(await column(sql)).toEqual([type, values]);
  });

  it('holds days, and a day that is not finite as null', async () => {
    const [type, values] = await column(
      "VALUES (DATE '2025-09-30'), (NULL), (DATE '1969-12-31'), (DATE 'infinity')",
    );
    expect(type).toBe('Date32<DAY>');
    expect(values).toEqual([Date.UTC(2025, 8, 30), null, Date.UTC(1969, 11, 31), null]);
  });

  it('holds instants to the microsecond, in UTC', async () => {
    const table = await written(
      "VALUES (TIMESTAMP '2025-11-03 16:01:02.000003'), (NULL), (TIMESTAMP '1969-12-31 23:59:59')",
    );
    const vector = table.getChildAt(0);
    expect(String(vector?.type)).toBe('Timestamp<MICROSECOND, UTC>');
    const micros = BigInt(Date.UTC(2025, 10, 3, 16, 1, 2)) * 1000n + 3n;
    expect(vector?.data[0]?.values).toEqual(BigInt64Array.from([micros, 0n, -1_000_000n]));
    expect([0, 1, 2].map((i) => vector?.isValid(i))).toEqual([true, false, true]);
  });

  it('holds decimals of 38 digits with their scale', async () => {
    const table = await written(
      'VALUES (8173900000.25::DECIMAL(38,6)), (NULL), (-0.000001), (99999999999999999999999999999999.999999)',
    );
    const vector = table.getChildAt(0);
    expect(String(vector?.type)).toBe('Decimal[38e+6]');
    expect(unitsOf(table)).toEqual([8173900000250000n, 0n, -1n, 99999999999999999999999999999999999999n]);
    expect(vector?.isValid(1)).toBe(false);
  });

  it('holds sums of integers as numbers, to the last digit', async () => {
    const table = await written(
      'SELECT sum(i) AS total FROM (VALUES (1, 9007199254740993), (1, 2), (2, -3), (3, NULL)) t(g, i) GROUP BY g ORDER BY g',
    );
    expect(String(table.getChildAt(0)?.type)).toBe('Decimal[38e0]');
    expect(unitsOf(table)).toEqual([9007199254740995n, -3n, 0n]);
    expect(table.getChildAt(0)?.isValid(2)).toBe(false);
  });

  it('keeps every row once and in order over many batches', async () => {
    const table = await written('SELECT i::INTEGER, i::VARCHAR AS text FROM range(100000) r(i) ORDER BY i');
    expect(table.batches.length).toBeGreaterThan(1);
    const texts = table.getChild('text');
    let at = 0;
    for (const value of table.getChildAt(0) ?? []) {
      if (value !== at || texts?.get(at) !== String(at)) throw new Error(`row ${at} holds ${value}`);
      at += 1;
    }
    expect(at).toBe(100_000);
  });

  it('has the columns, with what they hold, when no row does', async () => {
    const table = await written('SELECT 1 AS debt WHERE false', new Map([['debt', 'Total debt, USD']]));
    expect(table.numRows).toBe(0);
    expect(table.schema.fields.map(({ name, metadata }) => [name, metadata.get('comment')])).toEqual([
      ['debt', 'Total debt, USD'],
    ]);
  });
});
