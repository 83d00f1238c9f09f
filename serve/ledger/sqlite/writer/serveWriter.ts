import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import type { Steps } from '../../steps/steps.ts';
import { coldWrites } from '../../writes/coldWrites.ts';
import { insertReceiptOnceSql } from '../calls/inserts.ts';
import { runCall, writerCalls } from '../calls/writerCalls.ts';
import { backgroundCheckpoint, type SpawnCheckpointer, walOf } from '../checkpoint/backgroundCheckpoint.ts';
import { stepRunner } from '../runSteps.ts';
import { applySchema } from '../schema/applySchema.ts';
import { databaseErrorCode, openDatabase } from '../schema/openDatabase.ts';
import {
  endsMoney,
  type FromWriter,
  type Operation,
  type OperationResult,
  stored,
  type ToWriter,
  type WriteObstacle,
} from './writerProtocol.ts';

/** The two ends of a writer's channel; a worker's `parentPort` is one. */
export type WriterPort = {
  on(event: 'message', listener: (message: ToWriter) => void): unknown;
  postMessage(message: FromWriter): void;
  close(): void;
};

/**
 * Runs the only write connection of a process (P8.6): opens the ledger, answers `ready` or `refused`, then
 * commits one batch per message and checkpoints on request (P8.12). An error with an unknown outcome is thrown
 * and ends the thread (P8.10).
 *
 * `tune` sees the open connection before the first batch; `hasRoom` says whether the disk takes a batch again. With a `checkpointer` no commit waits for the write-ahead
 * log to be copied; without one SQLite copies it within commits.
 */
export function serveWriter({
  port,
  path,
  tune,
  hasRoom = () => takesBytes(`${path}.room`),
  checkpointer,
}: {
  port: WriterPort;
  path: string;
  tune?: (database: DatabaseSync) => void;
  hasRoom?: () => boolean;
  checkpointer?: { readonly spawn: SpawnCheckpointer; readonly pages?: number };
}): void {
  let database: DatabaseSync;
  try {
    database = openLedger(path);
  } catch (error) {
    port.postMessage(refusalOf(error, path));
    port.close();
    return;
  }
  tune?.(database);
  const commitBatch = batchCommitter(database);
  const wal = walOf(database);
  const background = checkpointer === undefined ? null : backgroundCheckpoint({ database, ...checkpointer });
  const directory = dirname(path);
  const reserve = reserveFile(`${path}.reserve`);

  let full: Extract<BatchOutcome, { kind: 'rolled_back' }> | null = null;

  /** A running payment's end is worth the reserve: it is freed, and the batch tried once more (P8.12). */
  function commitWithReserve(operations: readonly Operation[]): BatchOutcome {
    // nothing to write always commits, and would say that the disk takes something again
    if (operations.length === 0 && full !== null && !hasRoom()) return full;
    const outcome = commitBatch(operations);
    if (outcome.kind === 'committed' || outcome.obstacle !== 'disk_full') return outcome;
    return operations.some(endsMoney) && reserve.spend() ? commitBatch(operations) : outcome;
  }

  function close(): void {
    leftForLater(() => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    database.close();
    port.postMessage({ kind: 'closed' });
    port.close();
  }

  port.on('message', (message) => {
    switch (message.kind) {
      case 'batch': {
        const start = performance.now();
        const outcome = commitWithReserve(message.operations);
        full = outcome.kind === 'rolled_back' && outcome.obstacle === 'disk_full' ? outcome : null;
        if (outcome.kind === 'rolled_back') {
          port.postMessage(outcome);
          return;
        }
        const commitMs = performance.now() - start;
        port.postMessage({ ...outcome, commitMs, freeBytes: freeBytes(directory) });
        background?.committed();
        return;
      }
      case 'maintain':
        if (message.checkpoint) (background?.idle ?? wal.copy)();
        reserve.keep(freeBytes(directory));
        port.postMessage({ kind: 'maintained', freeBytes: freeBytes(directory) });
        return;
      case 'close':
        if (background === null) close();
        else void background.stop().then(close);
    }
  });
  port.postMessage({ kind: 'ready', freeBytes: freeBytes(directory) });
}

function openLedger(path: string): DatabaseSync {
  const database = openDatabase({ path, mode: 'write' });
  try {
    applySchema(database);
    return database;
  } catch (error) {
    // before the refusal is sent: what follows it may need the file alone
    database.close();
    throw error;
  }
}

// a checkpoint that fails loses nothing: the WAL is durable and the next one copies it
function leftForLater(checkpoint: () => unknown): void {
  try {
    checkpoint();
  } catch (error) {
    if ((error as { errcode?: unknown }).errcode === undefined) throw error;
  }
}

function freeBytes(directory: string): number {
  const { blocks, bavail, bsize } = statfsSync(directory);
  // some file systems state no size at all; full then shows as a failed write
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

function refusalOf(error: unknown, path: string): FromWriter {
  if (error instanceof IssuerError && (error.code === 'configuration' || error.code === 'store_unwritable')) {
    return { kind: 'refused', code: error.code, message: error.message, hint: error.hint };
  }
  return {
    kind: 'refused',
    code: 'store_unwritable',
    message: `The ledger file ${path} cannot be prepared: ${error instanceof Error ? error.message : 'unknown'}.`,
    hint: 'Check the free space of its disk and that no other program holds it locked.',
  };
}

/** Size of the reserve, and the free space its making must leave (P8.12). */
export const reserveBounds = { bytes: 32 * 1024 * 1024, leaveFreeBytes: 256 * 1024 * 1024 } as const;

/** Space kept beside the ledger so that running payments can be written on a full disk. */
type ReserveFile = {
  /** Makes the file when it is missing and the disk has room to spare. */
  keep(freeBytes: number): void;
  /** Frees the space; false when there was none. */
  spend(): boolean;
};

/** The reserve at `path`; `bytes` is smaller in tests. */
export function reserveFile(path: string, bytes: number = reserveBounds.bytes): ReserveFile {
  return {
    keep: (freeBytes) => {
      if (existsSync(path) || freeBytes < reserveBounds.leaveFreeBytes + bytes) return;
      try {
        fill(path, bytes);
      } catch {
        // no reserve is worse than one, and no reason to stop: half a file is taken away again
        rmSync(path, { force: true });
      }
    },
    spend: () => {
      if (!existsSync(path)) return false;
      rmSync(path, { force: true });
      return true;
    },
  };
}

/** What the largest batch writes, about. */
const roomBytes = 1024 * 1024;

/** Whether the disk takes as many bytes as a batch has; another failure than of space is left to the database. */
function takesBytes(path: string): boolean {
  try {
    fill(path, roomBytes);
    return true;
  } catch (error) {
    return !/^(ENOSPC|EDQUOT|EFBIG)$/.test(String((error as NodeJS.ErrnoException).code));
  } finally {
    rmSync(path, { force: true });
  }
}

// written, not extended: a hole reserves nothing
function fill(path: string, bytes: number): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    for (let left = bytes; left > 0; left -= chunk.length) {
      writeSync(file, chunk, 0, Math.min(left, chunk.length));
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

type BatchOutcome =
  | { readonly kind: 'committed'; readonly results: readonly (OperationResult | null)[] }
  | { readonly kind: 'rolled_back'; readonly obstacle: WriteObstacle; readonly code: number };

const busyCode = 5;
const fullCode = 13;
const constraintCode = 19;
const mismatchCode = 20;
const tooBigCode = 18;
// a quota or file-size limit reaches SQLite as a failed write, a WAL index that cannot grow as a third code
const failedWriteCode = 778;
const walIndexFullCode = 4874;

/**
 * Prepares a write connection for batches: `BEGIN IMMEDIATE`, each operation, one `COMMIT` (P8.7). An operation the
 * database refuses rolls back alone: its batch is run again from the start with each operation under a savepoint of
 * its own. Refusals are rare, and SQLite copies every page a savepoint changes: the claim of a payment costs a third
 * less without. A full disk or a file that another process holds rolls the whole batch back and is reported; nothing of it is
 * stored then.
 *
 * The returned function throws every other database error: the outcome of the batch is then unknown (P8.10).
 */
export function batchCommitter(database: DatabaseSync): (operations: readonly Operation[]) => BatchOutcome {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const savepoint = database.prepare('SAVEPOINT operation');
  const release = database.prepare('RELEASE operation');
  const undo = database.prepare('ROLLBACK TO operation');
  const run = operationRunner(database);

  function runAlone(operation: Operation): OperationResult | null {
    savepoint.run();
    try {
      const result = run(operation);
      release.run();
      return result;
    } catch (error) {
      if (!concernsOneOperation(error)) throw error;
      undo.run();
      release.run();
      return { ok: false, code: databaseErrorCode(error) ?? 0, message: (error as Error).message };
    }
  }

  return (operations) => {
    let results: (OperationResult | null)[];
    try {
      begin.run();
      try {
        results = operations.map(run);
      } catch (error) {
        if (!concernsOneOperation(error)) throw error;
        database.exec('ROLLBACK');
        begin.run();
        results = operations.map(runAlone);
      }
      commit.run();
      return { kind: 'committed', results };
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      const code = databaseErrorCode(error);
      const obstacle = code === null ? null : obstacleOf(code);
      if (code === null || obstacle === null) throw error;
      return { kind: 'rolled_back', obstacle, code };
    }
  };
}

function concernsOneOperation(error: unknown): boolean {
  const code = databaseErrorCode(error);
  // a value no column takes fails in the binding, a call's own doubt in its code: the database saw neither
  if (code === null) return error instanceof Error;
  const primary = code & 0xff;
  return primary === constraintCode || primary === mismatchCode || primary === tooBigCode;
}

function obstacleOf(code: number): WriteObstacle | null {
  if (code === failedWriteCode || code === walIndexFullCode) return 'disk_full';
  if ((code & 0xff) === fullCode) return 'disk_full';
  return (code & 0xff) === busyCode ? 'file_busy' : null;
}

/**
 * Prepares the statements of every operation on the write connection and returns the function that runs one: it answers
 * with the value the caller waits for, null for the common `stored`, and throws what the database throws.
 */
export function operationRunner(database: DatabaseSync): (operation: Operation) => OperationResult | null {
  const calls = writerCalls(database);
  const runSteps = stepRunner(database, calls.transition);
  const insertReceipt = database.prepare(insertReceiptOnceSql);
  const setDelivery = database.prepare(
    "UPDATE receipts SET delivery_status = ? WHERE receipt_id = ? AND delivery_status <> 'delivered'",
  );
  const setUsed = database.prepare(
    'UPDATE api_keys SET last_used_ms = max(coalesce(last_used_ms, 0), ?) WHERE key_id = ?',
  );
  return (operation) => {
    switch (operation.kind) {
      case 'receipt':
        insertReceipt.run(...operation.values);
        return null;
      case 'delivery':
        setDelivery.run(operation.delivery, operation.receiptId);
        return null;
      case 'key_used':
        setUsed.run(operation.atMs, operation.keyId);
        return null;
      case 'call': {
        const value = runCall(calls, operation);
        return value === undefined || value === stored ? null : { ok: true, value };
      }
      case 'cold': {
        // name and input were put together by the typed sender of this process
        const write = coldWrites[operation.name] as (input: unknown) => Steps<unknown>;
        const value = runSteps(write(operation.input), operation.nowMs);
        return value === undefined ? null : { ok: true, value };
      }
    }
  };
}
