import type { UnchargedReceipt } from '../calls/inserts.ts';
import type { Operation, OperationResult } from './writerProtocol.ts';

/** One operation on its way to the disk. `caller` is null when it is not awaited. */
export type Waiting = {
  readonly operation: Operation;
  readonly sinceMs: number;
  readonly caller: { resolve(value: unknown): void; reject(error: Error): void } | null;
  /** its caller waits for the next commit; everything else waits for company */
  readonly urgent: boolean;
};

/** First in, first out: what is not yet with the writer. */
export type OperationQueue = {
  entries: Waiting[];
  /** how many of them are urgent */
  urgent: number;
  /** the uncharged receipts among them by id */
  readonly receipts: Map<string, UnchargedReceipt>;
};

/** Puts an entry behind everything that waits. */
export function push(queue: OperationQueue, entry: Waiting): void {
  queue.entries.push(entry);
  if (entry.urgent) queue.urgent += 1;
  if (entry.operation.kind === 'receipt') queue.receipts.set(entry.operation.receiptId, entry.operation);
}

/** Removes and returns the oldest `limit` entries. */
export function take(queue: OperationQueue, limit: number): Waiting[] {
  const taken = queue.entries.splice(0, limit);
  for (const { urgent, operation } of taken) {
    if (urgent) queue.urgent -= 1;
    if (operation.kind === 'receipt') queue.receipts.delete(operation.receiptId);
  }
  return taken;
}

/** Puts entries in front of everything that waits. */
export function putBack(queue: OperationQueue, front: readonly Waiting[]): void {
  const behind = take(queue, Number.POSITIVE_INFINITY);
  for (const entry of front) push(queue, entry);
  for (const entry of behind) push(queue, entry);
}

/** Kind and id of an operation for the log; never a hash or a label. */
export function subjectOf(operation: Operation): { kind: string; subject: string } {
  switch (operation.kind) {
    case 'receipt':
    case 'delivery':
      return { kind: operation.kind, subject: operation.receiptId };
    case 'call':
    case 'cold':
      return { kind: operation.name, subject: subjectOfCall(operation.input) };
    case 'key_used':
      return { kind: operation.kind, subject: operation.keyId };
  }
}

// ids only: an input may hold hashes and signatures
function subjectOfCall(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  for (const name of ['receiptId', 'debitId', 'grantId', 'jobId', 'checkoutId', 'keyId']) {
    const id = (input as Readonly<Record<string, unknown>>)[name];
    if (typeof id === 'string' || typeof id === 'number') return String(id);
  }
  const { receipt } = input as { receipt?: { receiptId?: unknown } };
  return typeof receipt?.receiptId === 'string' ? receipt.receiptId : '';
}

/** Resolves or rejects a caller with the result of its operation; null is the common `stored`. */
export function answerCaller({ operation, caller }: Waiting, result: OperationResult | null): void {
  if (result === null) caller?.resolve('stored');
  else if (result.ok) caller?.resolve(result.value);
  else caller?.reject(new Error(`the ledger refused ${operation.kind}: ${result.message}`));
}
