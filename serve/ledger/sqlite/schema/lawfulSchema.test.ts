import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { olderLedger } from '../../../../fixtures/rigs/ledger/olderLedger.ts';
import { applySchema, createFirstSchema } from './applySchema.ts';
import { lawfulSchema, type SchemaPart, schemaParts } from './lawfulSchema.ts';

/** Recorded from a ledger that the last program of schema version 1 had made: 78 parts, by type and name. */
const versionOne = '6c24462e2ca6ad8d3545294fa3a58761e3b441dc9c2a4ede07f26cd8f5fb52c6';

function digest(parts: readonly SchemaPart[]): string {
  const text = parts.map(({ type, name, sql }) => `${type} ${name}\n${sql}\n`).join('');
  return createHash('sha256').update(text).digest('hex');
}

test('the schema of version 1 reads as its program made it, part by part', () => {
  expect(lawfulSchema('1')).toHaveLength(78);
  expect(digest(lawfulSchema('1'))).toBe(versionOne);
});

test('version 2 differs from it in the storage of payments and receipts, and has aliases of payments', () => {
  const former = new Map(lawfulSchema('1').map((part) => [part.name, part.sql]));
  const joined = lawfulSchema('2').filter((part) => !former.has(part.name));
  expect(joined.map((part) => part.name)).toEqual([
    'payment_aliases',
    'payment_aliases_kept',
    'payment_aliases_no_delete',
    'payments_answered',
  ]);
  const changed = lawfulSchema('2').filter((part) => (former.get(part.name) ?? part.sql) !== part.sql);
  expect(changed.map((part) => part.name)).toEqual(['payments', 'receipts']);
  for (const { name, sql } of changed) expect(former.get(name)).toBe(`${sql}, WITHOUT ROWID`);
});

test('a ledger from before aliases gets them when it is opened for writing', () => {
  const database = new DatabaseSync(':memory:');
  createFirstSchema(database);
  expect(applySchema(database)).toBe('present');
  expect(schemaParts(database)).toEqual(lawfulSchema('2'));
  database.close();
});

test('the older ledgers of the tests are those of version 1', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  const path = join(directory, 'ledger.db');
  olderLedger({ path, payments: 1 });
  const database = new DatabaseSync(path, { readOnly: true });
  expect(digest(schemaParts(database))).toBe(versionOne);
  database.close();
  rmSync(directory, { recursive: true });
});
