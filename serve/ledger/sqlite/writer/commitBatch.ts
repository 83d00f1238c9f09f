import type { DatabaseSync } from 'node:sqlite';
import type { Steps } from '../../steps/steps.ts';
import { coldWrites } from '../../writes/coldWrites.ts';
import { insertReceiptOnceSql } from '../calls/inserts.ts';
import { runCall, writerCalls } from '../calls/writerCalls.ts';
import { stepRunner } from '../runSteps.ts';
import { databaseErrorCode } from '../schema/databaseError.ts';
import { type Operation, type OperationResult, stored, type WriteObstacle } from './writerProtocol.ts';

export type BatchOutcome =
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

  function runPlain(operation: Operation): OperationResult | null {
    const value = run(operation);
    return value === stored ? null : { ok: true, value };
  }

  function runAlone(operation: Operation): OperationResult | null {
    savepoint.run();
    try {
      const result = runPlain(operation);
      release.run();
      return result;
    } catch (error) {
      if (!concernsOneOperation(error)) throw error;
      undo.run();
      release.run();
      return { ok: false, code: databaseErrorCode(error) ?? 0, message: (error as Error).message };
    }
  }

  function resultsOf(operations: readonly Operation[]): (OperationResult | null)[] {
    try {
      return operations.map(runPlain);
    } catch (error) {
      if (!concernsOneOperation(error)) throw error;
      database.exec('ROLLBACK');
      begin.run();
      return operations.map(runAlone);
    }
  }

  return (operations) => {
    try {
      begin.run();
      const results = resultsOf(operations);
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
 * Prepares the statements of every operation on the write connection and returns the function that runs one.
 * It answers with the value the caller waits for and throws what the database throws.
 */
export function operationRunner(database: DatabaseSync): (operation: Operation) => unknown {
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
        return stored;
      case 'delivery':
        setDelivery.run(operation.delivery, operation.receiptId);
        return stored;
      case 'key_used':
        setUsed.run(operation.atMs, operation.keyId);
        return stored;
      case 'call': {
        const value = runCall(calls, operation);
        return value === undefined ? stored : value;
      }
      case 'cold': {
        // name and input were put together by the typed sender of this process
        const write = coldWrites[operation.name] as (input: unknown) => Steps<unknown>;
        const value = runSteps(write(operation.input), operation.nowMs);
        return value === undefined ? stored : value;
      }
    }
  };
}
