import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applySchema, inspectLedger } from './applySchema.ts';
import { openDatabase } from './openDatabase.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'ledger.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a ledger that is not there is absent, and stays so', () => {
  expect(inspectLedger(path)).toBe('absent');
  expect(readdirSync(directory)).toEqual([]);
});

test('a ledger at rest is present', () => {
  const database = openDatabase({ path, mode: 'write' });
  applySchema(database);
  database.close();
  expect(inspectLedger(path)).toBe('present');
});

test('an empty file and an empty database are what a start that was cut off leaves: absent', () => {
  writeFileSync(path, '');
  expect(inspectLedger(path)).toBe('absent');
  openDatabase({ path, mode: 'write' }).close();
  expect(inspectLedger(path)).toBe('absent');
});

test('a file that is no database is refused with a hint', () => {
  writeFileSync(path, 'x'.repeat(2000));
  expect(() => inspectLedger(path)).toThrow(expect.objectContaining({ code: 'configuration' }));
});

test.each(['1', '2', '4'])('schema version %s is refused by name and left as it is (P8.13)', (version) => {
  const database = openDatabase({ path, mode: 'write' });
  applySchema(database);
  database.exec(`UPDATE ledger_meta SET value = '${version}' WHERE key = 'schema_version'`);
  const parts = () => database.prepare('SELECT * FROM sqlite_schema').all();
  const before = parts();
  const refusal = expect.objectContaining({
    code: 'configuration',
    message: `The ledger has schema version ${version}; this program reads version 3.`,
    hint: 'Run the version of the program that wrote it, or point II_LEDGER at a new ledger; this one was left as it is.',
  });
  expect(() => inspectLedger(path)).toThrow(refusal);
  expect(() => applySchema(database)).toThrow(refusal);
  expect(database.isTransaction).toBe(false);
  expect(parts()).toEqual(before);
  database.close();
});
