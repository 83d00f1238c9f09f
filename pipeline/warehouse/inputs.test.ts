import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { sourceLayout } from '../source/directorySource.ts';
import { readRows } from './build/readRows.ts';
import { inputTables, warehouseInputs } from './inputs.ts';

describe('the list of inputs', () => {
  let warehouse: HandMadeWarehouse;
  beforeAll(async () => {
    warehouse = await handMadeWarehouse();
  });
  afterAll(() => warehouse.remove());

  it('has every table whose rows name their input, each in one row', async () => {
    const rows = await readRows(
      warehouse.connection,
      "SELECT table_name AS name FROM duckdb_columns() WHERE column_name = 'input' AND NOT internal AND table_name IN (SELECT table_name FROM duckdb_tables())",
    );
    expect([...inputTables].sort()).toEqual(rows.map((row) => String(row['name'])).sort());
  });

  it('makes the tables of a row in the script of that row and nowhere else', async () => {
    const folder = new URL('../../data/sql/', import.meta.url);
    const made = new Map<string, string[]>();
    for (const script of (await readdir(folder)).filter((name) => name.endsWith('.sql'))) {
      const text = await readFile(new URL(script, folder), 'utf8');
      for (const [, table = ''] of text.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g))
        made.set(table, [...(made.get(table) ?? []), script]);
    }
    for (const { tables, script } of warehouseInputs)
      for (const table of tables) expect([table, made.get(table)]).toEqual([table, [script]]);
  });

  it('keeps views out of the scripts of tables: a changed view reads no input again', async () => {
    for (const { script } of warehouseInputs) {
      if (script === null) continue;
      const text = await readFile(new URL(`../../data/sql/${script}`, import.meta.url), 'utf8');
      expect([script, /CREATE OR REPLACE VIEW/.test(text)]).toEqual([script, false]);
    }
  });

  it('reads what is read through other inputs after them', () => {
    const order = warehouseInputs.map(({ id }) => id);
    expect(order.indexOf('xbrl')).toBeGreaterThan(order.indexOf('filings'));
    expect(order.indexOf('xbrl')).toBeGreaterThan(order.indexOf('instances'));
    expect(new Set(sourceLayout).size).toBe(sourceLayout.length);
  });
});
