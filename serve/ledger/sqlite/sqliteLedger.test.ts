import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exampleKey, exampleKeyId, exampleReceipt } from '../../../fixtures/rigs/ledger/ledgerReceipts.ts';
import { systemTime } from '../openLedger.ts';
import type { UnchargedLedger } from '../port/ledger.ts';
import { openDatabase } from './schema/openDatabase.ts';
import { sqliteLedger } from './sqliteLedger.ts';
import type { CommitReport } from './writer/groupCommitState.ts';
import { threadWriter } from './writer/writerProtocol.ts';

let directory: string;
let path: string;
let commits: CommitReport[];
let events: string[];
let fatal: Error[];
let committed: PromiseWithResolvers<void>;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'ledger.db');
  commits = [];
  events = [];
  fatal = [];
  committed = Promise.withResolvers<void>();
});
afterEach(() => rmSync(directory, { recursive: true }));

function newLedger(input: { spawn?: ReturnType<typeof threadWriter> } = {}): UnchargedLedger {
  return sqliteLedger({
    path,
    time: systemTime,
    // a busy machine may be slow, which is no event of these tests
    log: ({ event }) => void (event === 'ledger_slow' || events.push(event)),
    onFatal: (error) => {
      fatal.push(error);
      committed.resolve();
    },
    onCommit: (report) => {
      commits.push(report);
      committed.resolve();
    },
    ...input,
  });
}

function readAll(sql: string) {
  const database = openDatabase({ path, mode: 'read' });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

test('receipts and their delivery states are on disk when the ledger is closed, the WAL emptied (P8.12)', async () => {
  const ledger = newLedger();
  await ledger.open();
  await ledger.keys.create(exampleKey);
  for (let n = 1; n <= 100; n += 1) ledger.noteNotCharged(exampleReceipt(n));
  ledger.delivered(exampleReceipt(1).receiptId, 'delivered');
  ledger.delivered(exampleReceipt(2).receiptId, 'partial');
  await ledger.close();
  expect(existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0).toBe(0);
  expect(readAll('SELECT delivery_status, count(*) AS n FROM receipts GROUP BY 1 ORDER BY 1')).toEqual([
    { delivery_status: 'delivered', n: 1 },
    { delivery_status: 'partial', n: 1 },
    { delivery_status: 'pending', n: 98 },
  ]);
  expect(readAll('SELECT count(*) AS n FROM receipt_events')).toEqual([{ n: 100 }]);
});

test('a delivery state that comes after its receipt was committed is written by its own statement', async () => {
  const ledger = newLedger();
  await ledger.open();
  await ledger.keys.create(exampleKey);
  ledger.noteNotCharged(exampleReceipt(1));
  // a change with a caller takes the receipt along
  await ledger.keys.revoke({ keyId: 'NOBODYHERE', as: 'operator:ada', atMs: 1 });
  ledger.delivered(exampleReceipt(1).receiptId, 'delivered');
  ledger.delivered(exampleReceipt(1).receiptId, 'undelivered');
  await ledger.close();
  expect(readAll('SELECT delivery_status, updated_ms, created_ms FROM receipts')).toEqual([
    {
      delivery_status: 'delivered',
      updated_ms: exampleReceipt(1).createdMs,
      created_ms: exampleReceipt(1).createdMs,
    },
  ]);
});

test('sixty-four clients of one turn share one commit (P8.7)', async () => {
  const ledger = newLedger();
  await ledger.open();
  await ledger.keys.create(exampleKey);
  commits.length = 0;
  const words = await Promise.all(
    Array.from({ length: 64 }, (_, i) =>
      ledger.keys.revoke({ keyId: exampleKeyId, as: 'operator:ada', atMs: i }),
    ),
  );
  expect(commits.map((c) => c.operations)).toEqual([64]);
  expect(words.filter((word) => word === 'revoked')).toHaveLength(1);
  expect(words.filter((word) => word === 'already_revoked')).toHaveLength(63);
  await ledger.close();
});

test('an operation that fails rolls back alone; its group is committed (P8.7)', async () => {
  const ledger = newLedger();
  await ledger.open();
  await ledger.keys.create(exampleKey);
  ledger.noteNotCharged(exampleReceipt(1));
  ledger.noteNotCharged({ ...exampleReceipt(2), apiKeyId: 'NOBODYHERE' });
  ledger.noteNotCharged({ ...exampleReceipt(3), quotedMicro: 0.5 });
  ledger.noteNotCharged({ ...exampleReceipt(4), fingerprint: new Uint8Array(31) });
  ledger.noteNotCharged(exampleReceipt(5));
  await ledger.close();
  expect(readAll('SELECT receipt_id FROM receipts')).toEqual(
    [1, 5].map((n) => ({ receipt_id: exampleReceipt(n).receiptId })),
  );
  expect(events).toEqual(Array(3).fill('ledger_operation_refused'));
  expect(fatal).toEqual([]);
});

test('a ledger that cannot be opened says why and leaves no thread behind', async () => {
  path = '/dev/null/ledger.db';
  const ledger = newLedger();
  await expect(ledger.open()).rejects.toMatchObject({ code: 'store_unwritable' });
  await ledger.close();
  expect(await ledger.health()).toMatchObject({ status: 'failing', reason: 'not_open' });
});

test('two processes that start at once on no file make one schema and both write (P8.11)', async () => {
  const program = fileURLToPath(
    new URL('../../../fixtures/rigs/ledger/ledgerCrashChild.ts', import.meta.url),
  );
  const run = promisify(execFile);
  await Promise.all([
    run(process.execPath, [program, path, '1', '300']),
    run(process.execPath, [program, path, '1000', '300']),
  ]);
  expect(readAll('SELECT count(*) AS n FROM receipts')).toEqual([{ n: 600 }]);
  expect(readAll('SELECT count(*) AS n FROM receipt_events')).toEqual([{ n: 600 }]);
  expect(readAll('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
});

describe('a crash (X74)', () => {
  test('SIGKILL in mid-load leaves an intact file that lacks at most what was not yet reported committed', async () => {
    const program = fileURLToPath(
      new URL('../../../fixtures/rigs/ledger/ledgerCrashChild.ts', import.meta.url),
    );
    const child = spawn(process.execPath, [program, path, '1', 'forever'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let reported = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      reported = Number(line);
      if (reported >= 2000) child.kill('SIGKILL');
    }
    expect(reported).toBeGreaterThanOrEqual(2000);
    expect(readAll('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    // receipts are handed over in the order of their ids: what is there is a prefix, and all that was reported
    const [row] = readAll('SELECT count(*) AS n, max(receipt_id) AS last FROM receipts');
    expect(Number(row?.['n'])).toBeGreaterThanOrEqual(reported);
    expect(row?.['last']).toBe(exampleReceipt(Number(row?.['n'])).receiptId);
    expect(readAll('SELECT count(*) AS n FROM receipt_events')).toEqual([{ n: row?.['n'] }]);

    const ledger = newLedger();
    await ledger.open();
    ledger.noteNotCharged(exampleReceipt(9_000_000));
    await ledger.close();
    expect(readAll('SELECT count(*) AS n FROM receipts')).toEqual([{ n: Number(row?.['n']) + 1 }]);
  });
});

describe("the writer thread's death (P8.10)", () => {
  test('a thread killed with a batch in flight is replaced and the receipts are all there', async () => {
    const workers: Worker[] = [];
    const inner = threadWriter({ path, onStart: (worker) => workers.push(worker) });
    const ledger = newLedger({ spawn: inner });
    await ledger.open();
    await ledger.keys.create(exampleKey);
    for (let n = 1; n <= 512; n += 1) ledger.noteNotCharged(exampleReceipt(n));
    // after the turn in which the full batch is posted
    await new Promise((resolve) => setImmediate(resolve));
    await workers[0]?.terminate();
    expect(await ledger.health()).toMatchObject({ status: 'failing', reason: 'writer_restarting' });
    await ledger.close();
    expect(events).toEqual(['ledger_writer_died']);
    expect(workers).toHaveLength(2);
    expect(readAll('SELECT count(*) AS n FROM receipts')).toEqual([{ n: 512 }]);
    expect(readAll('SELECT count(*) AS n FROM receipt_events')).toEqual([{ n: 512 }]);
    expect(fatal).toEqual([]);
  });
});

describe('a full disk (P8.12, X47)', () => {
  test('makes the ledger failing, ends nothing, and the receipts taken before are kept', async () => {
    const entry = new URL('../../../fixtures/rigs/ledger/ledgerFullDiskWriter.ts', import.meta.url);
    const ledger = newLedger({ spawn: threadWriter({ path, entry }) });
    await ledger.open();
    await ledger.keys.create(exampleKey);
    let taken = 0;
    let refusal: unknown = null;
    while (refusal === null && taken < 100_000) {
      try {
        taken += 1;
        ledger.noteNotCharged(exampleReceipt(taken));
        if (taken % 512 === 0) await new Promise((resolve) => setImmediate(resolve));
      } catch (error) {
        refusal = error;
      }
    }
    expect(refusal).toMatchObject({ code: expect.stringMatching(/^(settlement_unavailable|overloaded)$/) });
    while ((await ledger.health()).reason !== 'disk_full')
      await new Promise((resolve) => setImmediate(resolve));
    expect(() => ledger.noteNotCharged(exampleReceipt(taken))).toThrow(
      expect.objectContaining({ code: 'settlement_unavailable' }),
    );
    const { waiting } = await ledger.health();
    const [row] = readAll('SELECT count(*) AS n FROM receipts');
    expect(Number(row?.['n']) + waiting).toBe(taken - 1);
    expect(readAll('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(fatal).toEqual([]);
    await ledger.close();
    expect(events).toEqual(['ledger_cannot_write', 'ledger_operations_lost']);
  });
});
