import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { olderLedger } from '../../../../fixtures/rigs/ledger/olderLedger.ts';
import { applySchema } from './applySchema.ts';
import { inspectLedger } from './inspectLedger.ts';
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

test('a ledger at rest shows its schema version', () => {
  const database = openDatabase({ path, mode: 'write' });
  applySchema(database);
  database.close();
  expect(inspectLedger(path)).toEqual({ schemaVersion: '2' });
});

test('an empty file and an empty database are what a start that was cut off leaves: absent', () => {
  writeFileSync(path, '');
  expect(inspectLedger(path)).toBe('absent');
  openDatabase({ path, mode: 'write' }).close();
  expect(inspectLedger(path)).toBe('absent');
});

test('another version and a file that is no database are refused with a hint', () => {
  writeFileSync(path, 'x'.repeat(2000));
  expect(() => inspectLedger(path)).toThrow(expect.objectContaining({ code: 'configuration' }));
  rmSync(path);
  const database = openDatabase({ path, mode: 'write' });
  applySchema(database);
  database.exec("UPDATE ledger_meta SET value = '9'");
  database.close();
  expect(() => inspectLedger(path)).toThrow(
    expect.objectContaining({ code: 'configuration', message: expect.stringContaining('version 9') }),
  );
});

test('an older version is refused with the command that upgrades it (P8.13)', () => {
  olderLedger({ path, payments: 1 });
  expect(() => inspectLedger(path)).toThrow(
    expect.objectContaining({
      code: 'configuration',
      message: 'The ledger has schema version 1; this program reads version 2.',
      hint: expect.stringContaining('issuer-serve ledger upgrade'),
    }),
  );
});
