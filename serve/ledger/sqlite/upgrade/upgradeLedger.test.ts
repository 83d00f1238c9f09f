import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { olderLedger } from '../../../../fixtures/rigs/ledger/olderLedger.ts';
import { exampleClaim, exampleTransition } from '../../../../fixtures/rigs/ledgerConformance/examples.ts';
import type { Ledger } from '../../port/ledger.ts';
import { systemTime } from '../../systemTime.ts';
import { ledgerVersion } from '../schema/applySchema.ts';
import { sqliteLedger } from '../sqliteLedger.ts';
import { upgradeLedger } from './upgradeLedger.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'ledger.db');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

const nowMs = Date.parse('2026-02-07T10:15:00Z');
const upgrade = (backup: string | null = null) => upgradeLedger({ path, backup, nowMs });

function read<T>(file: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const versionOf = (file: string) => read(file, ledgerVersion);

/** Every row of every table but the notes about the file itself. */
function rowsOf(file: string): Readonly<Record<string, unknown>> {
  return read(file, (database) =>
    Object.fromEntries(
      database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'ledger_meta'")
        .all()
        .map(({ name }) => [name, database.prepare(`SELECT * FROM ${String(name)} ORDER BY 1, 2`).all()]),
    ),
  );
}

async function opened(): Promise<Ledger> {
  const ledger = sqliteLedger({
    path,
    time: systemTime,
    log: () => {},
    onFatal: (error) => {
      throw error;
    },
  });
  await ledger.open();
  return ledger;
}

describe('an upgrade of a ledger of schema version 1 (P8.13)', () => {
  test('keeps every row, makes a proven backup for its owner alone, and states what it did', async () => {
    olderLedger({ path, payments: 40 });
    const before = rowsOf(path);
    const done = await upgrade();
    const backup = `${path}.version-1-20260207T101500Z`;
    // 40 receipts of a key, 40 payments, 40 holds; 3 journal rows a payment but for the 10 that are open, 1 a receipt
    expect(done).toMatchObject({
      upgraded: true,
      from: '1',
      backup,
      newestEvent: 40 + 40 + 2 * 40 + 30,
      books: { receipts: 120, payments: 40, debits: 40, chargedMicro: 20 * 100_000, problems: [] },
    });
    expect(rowsOf(path)).toEqual({ ...before, payment_aliases: [] });
    expect([versionOf(path), versionOf(backup)]).toEqual(['2', '1']);
    expect(rowsOf(backup)).toEqual(before);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).sort()).toEqual(['ledger.db', 'ledger.db.version-1-20260207T101500Z']);
  });

  test('leaves a ledger that pays on: claims, their replays and their numbers go on from there', async () => {
    olderLedger({ path, payments: 3 });
    await upgrade();
    const ledger = await opened();
    expect(await ledger.claim(exampleClaim(1))).toMatchObject({
      won: false,
      receipt: { chargeStatus: 'settled' },
    });
    expect(await ledger.claim(exampleClaim(4))).toMatchObject({ won: true });
    expect(await ledger.transition(exampleTransition(4, 'settled'))).toBe(true);
    expect(await ledger.check()).toMatchObject({ payments: 4, problems: [] });
    expect((await ledger.health()).status).toBe('ok');
    await ledger.close();
    const newest = read(path, (database) =>
      database.prepare('SELECT max(event_id) AS newest, count(*) AS rows FROM receipt_events').get(),
    );
    expect(newest?.['newest']).toBe(newest?.['rows']);
  });

  test('does nothing the second time', async () => {
    olderLedger({ path, payments: 2 });
    await upgrade();
    const bytes = readFileSync(path);
    expect(await upgrade()).toEqual({ upgraded: false });
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readdirSync(directory)).toHaveLength(2);
  });

  test('brings the triggers that version 1 got later to a ledger that lacks them', async () => {
    olderLedger({ path, payments: 2, additions: false });
    expect(await upgrade()).toMatchObject({ upgraded: true, books: { problems: [] } });
  });

  test('repairs no lost rule and drops no foreign one: the check names them as before', async () => {
    olderLedger({ path, payments: 2 });
    read(path, (database) =>
      database.exec(`DROP TRIGGER payments_no_delete; CREATE INDEX reports ON receipts (route_id);
        CREATE TRIGGER quiet AFTER INSERT ON receipts BEGIN UPDATE receipts SET replay_count = 9; END`),
    );
    expect(await upgrade()).toMatchObject({
      upgraded: true,
      books: {
        problems: [
          { rule: 'schema_in_force', subject: 'trigger payments_no_delete', detail: 'missing' },
          { rule: 'schema_in_force', subject: 'trigger quiet', detail: 'unknown' },
        ],
      },
    });
    const index = read(path, (database) =>
      database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'reports'").get(),
    );
    expect(index?.['sql']).toBe('CREATE INDEX reports ON receipts (route_id)');
  });

  test('reads a ledger whose log was left behind by a crash', async () => {
    const source = join(directory, 'source.db');
    olderLedger({ path: source, payments: 2 });
    const writer = new DatabaseSync(source);
    writer.exec("UPDATE receipts SET replay_count = 7 WHERE receipt_id LIKE '%0001'");
    for (const suffix of ['', '-wal']) copyFileSync(`${source}${suffix}`, `${path}${suffix}`);
    writer.close();
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    await upgrade();
    const replayed = read(path, (database) =>
      database.prepare('SELECT count(*) AS n FROM receipts WHERE replay_count = 7').get(),
    );
    // a receipt of the key, a payment and a covered call end with these digits
    expect(replayed?.['n']).toBe(3);
  });
});

describe('an upgrade is refused, and the ledger left as it was,', () => {
  beforeEach(() => olderLedger({ path, payments: 2 }));

  async function refusedWith(code: string, backup: string | null = null): Promise<void> {
    const before = existsSync(path) ? rowsOf(path) : null;
    await expect(upgrade(backup)).rejects.toMatchObject({ code });
    if (before === null) return;
    expect(rowsOf(path)).toEqual(before);
    expect(versionOf(path)).toBe('1');
  }

  test('while another connection is open', async () => {
    const other = new DatabaseSync(path);
    other.prepare('SELECT count(*) FROM receipts').get();
    await refusedWith('locked');
    other.close();
    expect(readdirSync(directory)).toEqual(['ledger.db']);
  });

  test('without a ledger, or with an empty file', async () => {
    rmSync(path);
    await refusedWith('input_missing');
    expect(readdirSync(directory)).toEqual([]);
    writeFileSync(path, '');
    await expect(upgrade()).rejects.toMatchObject({ code: 'input_missing' });
    expect(statSync(path).size).toBe(0);
  });

  test('when a newer program wrote it', async () => {
    read(path, (database) =>
      database.exec("UPDATE ledger_meta SET value = '3' WHERE key = 'schema_version'"),
    );
    await expect(upgrade()).rejects.toMatchObject({
      code: 'configuration',
      message: 'The ledger has schema version 3; this program reads version 2.',
    });
    expect(readdirSync(directory)).toEqual(['ledger.db']);
  });

  test('when the backup would replace a file, or has no directory', async () => {
    const taken = join(directory, 'taken.db');
    writeFileSync(taken, 'something else');
    await refusedWith('usage', taken);
    await refusedWith('store_unwritable', join(directory, 'nowhere', 'backup.db'));
    expect(readFileSync(taken, 'utf8')).toBe('something else');
  });

  test('when a row refers to one that is missing', async () => {
    read(path, (database) =>
      database.exec(
        "PRAGMA foreign_keys = OFF; DROP TRIGGER grants_no_delete; DELETE FROM grants WHERE grant_id <> ''",
      ),
    );
    await refusedWith('validation_failed');
    expect(readdirSync(directory)).toEqual(['ledger.db']);
  });

  test('when the disk is full in the middle of it', async () => {
    rmSync(path);
    olderLedger({ path, payments: 200 });
    const exec = DatabaseSync.prototype.exec;
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      // SQLite allows no fewer pages than there are: the copy finds no room
      if (sql.startsWith('INSERT INTO receipts')) exec.call(this, 'PRAGMA max_page_count = 1');
      return exec.call(this, sql);
    });
    await refusedWith('store_unwritable');
    vi.restoreAllMocks();
    expect(await upgradeLedger({ path, backup: null, nowMs: nowMs + 1000 })).toMatchObject({
      upgraded: true,
    });
  });

  test('when a row was not copied', async () => {
    const exec = DatabaseSync.prototype.exec;
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      return exec.call(this, sql.startsWith('INSERT INTO receipts') ? `${sql} LIMIT 2` : sql);
    });
    await refusedWith('validation_failed');
  });
});
