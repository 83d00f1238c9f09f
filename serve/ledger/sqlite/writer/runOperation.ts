import type { DatabaseSync } from 'node:sqlite';
import { notChargedRow } from '../../rows/receipt.ts';
import type { Steps } from '../../steps/steps.ts';
import { coldWrites } from '../../writes/coldWrites.ts';
import { insertReceiptOnceSql, receiptValues } from '../calls/inserts.ts';
import { runCall, writerCalls } from '../calls/writerCalls.ts';
import { stepRunner } from '../runSteps.ts';
import { type Operation, stored } from './writerProtocol.ts';

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
      case 'receipt': {
        const { receipt, delivery } = operation;
        insertReceipt.run(...receiptValues(notChargedRow(receipt, delivery)));
        return stored;
      }
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
