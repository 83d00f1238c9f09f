import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applySchema } from './applySchema.ts';
import { openDatabase } from './openDatabase.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('creates directories and a file that only its owner reads, the WAL included', () => {
  const path = join(directory, 'a', 'b', 'ledger.db');
  const database = openDatabase({ path, mode: 'write' });
  applySchema(database);
  expect(modeOf(path)).toBe(0o600);
  expect(modeOf(`${path}-wal`)).toBe(0o600);
  expect(modeOf(join(directory, 'a', 'b'))).toBe(0o700);
  database.close();
});

test('takes rights of others away from a file that has them', () => {
  const path = join(directory, 'ledger.db');
  writeFileSync(path, '');
  chmodSync(path, 0o644);
  openDatabase({ path, mode: 'write' }).close();
  expect(modeOf(path)).toBe(0o600);
});

test('holds WAL, full flushes, foreign keys and recursive triggers on every connection (P8.5)', () => {
  const path = join(directory, 'ledger.db');
  const writer = openDatabase({ path, mode: 'write' });
  const reader = openDatabase({ path, mode: 'read' });
  for (const database of [writer, reader]) {
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(database.prepare('PRAGMA foreign_keys').get()).toEqual({ foreign_keys: 1 });
    expect(database.prepare('PRAGMA recursive_triggers').get()).toEqual({ recursive_triggers: 1 });
  }
  expect(writer.prepare('PRAGMA wal_autocheckpoint').get()).toEqual({ wal_autocheckpoint: 4000 });
  expect(writer.prepare('PRAGMA journal_size_limit').get()).toEqual({ journal_size_limit: 67_108_864 });
  expect(() => reader.exec('CREATE TABLE t (x)')).toThrow(/readonly/);
  reader.close();
  writer.close();
});

test('opening it again keeps the locks of this process: no other one can have the file alone', () => {
  const path = join(directory, 'ledger.db');
  const writer = openDatabase({ path, mode: 'write' });
  applySchema(writer);
  openDatabase({ path, mode: 'write' }).close();
  const other =
    'const other = new (require("node:sqlite").DatabaseSync)(process.argv[1]);' +
    'other.exec("PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM receipts")';
  const alone = () => execFileSync(process.execPath, ['--eval', other, path], { stdio: 'pipe' });
  expect(alone).toThrow(/database is locked/);
  writer.close();
  expect(alone).not.toThrow();
});

test('refuses a database whose journal is not a WAL: in memory it cannot be', () => {
  expect(() => openDatabase({ path: ':memory:', mode: 'read' })).toThrow(
    expect.objectContaining({ code: 'configuration', message: expect.stringContaining('journal_mode') }),
  );
});

test.each([
  ['nfs', 0x6969],
  ['smb2', 0xfe534d42],
  ['cifs, as a signed number', 0xff534d42 | 0],
])('refuses a network file system: %s', (_name, type) => {
  const open = () =>
    openDatabase({ path: join(directory, 'l.db'), mode: 'write', fileSystemType: () => type });
  expect(open).toThrow(expect.objectContaining({ code: 'configuration' }));
});

test('refuses a file that is no database and leaves it as it is', () => {
  const path = join(directory, 'ledger.db');
  writeFileSync(path, 'not a database, but long enough to have a header to look at'.repeat(20), {
    mode: 0o600,
  });
  const before = statSync(path);
  expect(() => openDatabase({ path, mode: 'write' })).toThrow(
    expect.objectContaining({ code: 'configuration', message: expect.stringContaining('not a ledger') }),
  );
  expect(statSync(path).size).toBe(before.size);
});

test('says so when the path is a directory or its parent a file', () => {
  mkdirSync(join(directory, 'ledger.db'));
  writeFileSync(join(directory, 'file'), '');
  for (const path of [join(directory, 'ledger.db'), join(directory, 'file', 'ledger.db')]) {
    expect(() => openDatabase({ path, mode: 'write' })).toThrow(
      expect.objectContaining({ code: 'store_unwritable' }),
    );
  }
});

test('reading does not create a ledger that is not there', () => {
  expect(() => openDatabase({ path: join(directory, 'none.db'), mode: 'read' })).toThrow(
    expect.objectContaining({ code: 'store_unwritable' }),
  );
});
