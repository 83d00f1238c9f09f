import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exampleShadow } from '../../../../fixtures/rigs/ledgerConformance/examples.ts';
import { systemTime } from '../../openLedger.ts';
import { notChargedRow, unchargedReceipt } from '../../rows/receipt.ts';
import { applySchema } from '../schema/applySchema.ts';
import { openDatabase } from '../schema/openDatabase.ts';
import { sqliteLedger } from '../sqliteLedger.ts';
import { batchCommitter } from '../writer/serveWriter.ts';
import { threadWriter } from '../writer/writerProtocol.ts';
import {
  type BackgroundCheckpoint,
  backgroundCheckpoint,
  type SpawnCheckpointer,
  serveCheckpointer,
  type ToCheckpointer,
  type Wal,
  walOf,
} from './backgroundCheckpoint.ts';

// a checkpointer that works when the test says so, on a connection of its own as its thread would have
const pages = 80;
let directory: string;
let path: string;
let database: DatabaseSync;
let wal: Wal;
let checkpoint: BackgroundCheckpoint;
let writer: Parameters<SpawnCheckpointer>[0];
let asked: ToCheckpointer[];
let starts: number;
let checkpointer: (message: ToCheckpointer) => void;
let commit: () => void;
let stored: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'checkpoint-'));
  path = join(directory, 'ledger.db');
  database = openDatabase({ path, mode: 'write' });
  applySchema(database);
  // no test here depends on the disk
  database.exec('PRAGMA synchronous = OFF');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  wal = walOf(database);
  asked = [];
  starts = 0;
  stored = 0;
  const spawn: SpawnCheckpointer = (on) => {
    starts += 1;
    writer = on;
    return { postMessage: (message) => asked.push(message) };
  };
  checkpoint = backgroundCheckpoint({ database, spawn, pages });
  const commitBatch = batchCommitter(database);
  commit = () => {
    stored += 1;
    commitBatch([unchargedReceipt(notChargedRow(exampleShadow(stored)))]);
    checkpoint.committed();
  };
  serveCheckpointer({
    path,
    port: {
      on: (_, listener) => {
        checkpointer = listener;
      },
      postMessage: () => {},
      close: () => {},
    },
  });
});
afterEach(() => {
  checkpointer('stop');
  database.close();
  rmSync(directory, { recursive: true });
});

function commitUntilAsked(): void {
  const before = asked.length;
  while (asked.length === before) commit();
}

/** Receipts a machine would find that lost power now: in the ledger file as it was at `ledger` and the log of now. */
function afterPowerCut(ledger: string): number {
  const lost = join(directory, 'lost.db');
  // by another process: to close a file gives up the locks SQLite holds on it in this one
  execFileSync('cp', [ledger, lost]);
  execFileSync('cp', [`${path}-wal`, `${lost}-wal`]);
  const found = openDatabase({ path: lost, mode: 'write' });
  try {
    expect(found.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    return Number(found.prepare('SELECT count(*) AS n FROM receipts').get()?.['n']);
  } finally {
    found.close();
  }
}

test('the bulk is copied beside the writer, the last pages by it, and the log restarts (P8.12)', () => {
  commitUntilAsked();
  expect(asked).toEqual(['copy']);
  expect(wal.pages().copied).toBe(0);
  copyBeforeCommit();
  const { copied, logged } = wal.pages();
  expect(copied).toBeGreaterThanOrEqual(pages);
  expect(logged).toBeGreaterThan(copied);
  writer.copied();
  expect(wal.pages().copied).toBe(wal.pages().logged);
  commit();
  expect(wal.pages().logged).toBeLessThan(pages);
  expect(starts).toBe(1);
});

/**
 * The checkpointer copies, and a commit follows it on the same log. A reader of the log keeps it from restarting
 * meanwhile, as a commit would that came while it was copied.
 */
function copyBeforeCommit(): void {
  const reader = openDatabase({ path, mode: 'read' });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM ledger_meta').get();
  checkpointer('copy');
  commit();
  reader.close();
}

test('under commits that never pause each checkpoint ends, and the log stays short', () => {
  const lengths: number[] = [];
  const note = () => lengths.push(wal.pages().logged);
  for (let n = 0; n < 12; n += 1) {
    const before = asked.length;
    while (asked.length === before) {
      commit();
      note();
    }
    commit();
    copyBeforeCommit();
    note();
    writer.copied();
  }
  expect(Math.max(...lengths)).toBeLessThan(2 * pages);
});

test('a power cut at any step loses nothing, even if no copied page has reached the disk', () => {
  const early = join(directory, 'early.db');
  commitUntilAsked();
  execFileSync('cp', [path, early]);
  copyBeforeCommit();
  expect([afterPowerCut(path), afterPowerCut(early)]).toEqual([stored, stored]);
  writer.copied();
  expect([afterPowerCut(path), afterPowerCut(early)]).toEqual([stored, stored]);
  commit();
  expect(afterPowerCut(path)).toBe(stored);
});

test('a checkpointer that copies nothing, or dies, costs no commit and is asked again later', () => {
  commitUntilAsked();
  writer.copied();
  expect(wal.pages()).toMatchObject({ copied: 0 });
  const first = wal.pages().logged;
  commitUntilAsked();
  expect(wal.pages().logged).toBeGreaterThanOrEqual(first + pages);
  writer.ended();
  expect(starts).toBe(1);
  commitUntilAsked();
  expect(starts).toBe(2);
  checkpointer('copy');
  writer.copied();
  commit();
  expect(wal.pages().logged).toBeLessThan(pages);
  expect(database.prepare('SELECT count(*) AS n FROM receipts').get()).toEqual({ n: stored });
});

test('a copy that meets a full disk leaves the log as it was; every other error is thrown', () => {
  const failing = (error: Error) =>
    walOf({
      prepare: (sql: string) => ({
        get: () => {
          if (sql.includes('PASSIVE')) throw error;
          return { busy: 0, log: 7, checkpointed: 3 };
        },
      }),
    } as never);
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
  expect(() => failing(full).copy()).not.toThrow();
  expect(() => failing(new TypeError('broken')).copy()).toThrow('broken');
});

test('an idle writer copies a short log itself and has a long one copied (P8.12)', () => {
  commit();
  checkpoint.idle();
  expect(wal.pages().copied).toBe(wal.pages().logged);
  expect(asked).toEqual([]);
  while (wal.pages().logged <= pages / 2) commit();
  checkpoint.idle();
  checkpoint.idle();
  expect(asked).toEqual(['copy']);
});

test('the end waits for the checkpointer and begins nothing more', async () => {
  commitUntilAsked();
  let over = false;
  const stopped = checkpoint.stop().then(() => {
    over = true;
  });
  for (let n = 0; n < 40; n += 1) commit();
  checkpoint.idle();
  await Promise.resolve();
  expect(asked).toEqual(['copy', 'stop']);
  expect(over).toBe(false);
  writer.ended();
  await stopped;
});

test('a ledger is closed while its log is being copied: all of it is there, the log is empty', async () => {
  const file = join(directory, 'threads.db');
  const entry = new URL('../../../../fixtures/rigs/ledger/ledgerEagerCheckpointWriter.ts', import.meta.url);
  const ledger = sqliteLedger({
    path: file,
    time: systemTime,
    log: () => {},
    onFatal: (error) => {
      throw error;
    },
    spawn: threadWriter({ path: file, entry }),
  });
  await ledger.open();
  for (let n = 1; n <= 3000; n += 1) ledger.noteNotCharged(exampleShadow(n));
  await ledger.close();
  expect(existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0).toBe(0);
  const found = openDatabase({ path: file, mode: 'read' });
  expect(found.prepare('SELECT count(*) AS n FROM receipts').get()).toEqual({ n: 3000 });
  expect(found.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  found.close();
});
