import type { Operation, OperationResult } from './writerProtocol.ts';

export type ReceiptOperation = Operation & { readonly kind: 'receipt' };

/** One operation on its way to the disk. `caller` is null when it is not awaited. */
export type Waiting = {
  readonly operation: Operation;
  readonly sinceMs: number;
  readonly caller: { resolve(value: unknown): void; reject(error: Error): void } | null;
  /** the caller lets it wait for company like something handed over */
  readonly patient?: true;
};

/** First in, first out: what is not yet with the writer. Finds waiting receipts by id. */
export type OperationQueue = {
  push(entry: Waiting): void;
  /** Removes and returns the oldest `limit` entries. */
  take(limit: number): Waiting[];
  /** Puts entries in front of everything that waits. */
  putBack(entries: readonly Waiting[]): void;
  receipt(receiptId: string): ReceiptOperation | null;
  readonly length: number;
  /** entries whose callers wait for the next commit */
  readonly callers: number;
  readonly oldest: Waiting | undefined;
};

/** An empty {@link OperationQueue}. */
export function operationQueue(): OperationQueue {
  let entries: Waiting[] = [];
  const receipts = new Map<string, ReceiptOperation>();
  let callers = 0;

  function index(entry: Waiting): void {
    if (entry.caller !== null && entry.patient === undefined) callers += 1;
    if (entry.operation.kind === 'receipt') receipts.set(entry.operation.receipt.receiptId, entry.operation);
  }

  return {
    push: (entry) => {
      entries.push(entry);
      index(entry);
    },
    take: (limit) => {
      const taken = entries.splice(0, limit);
      for (const entry of taken) {
        if (entry.caller !== null && entry.patient === undefined) callers -= 1;
        if (entry.operation.kind === 'receipt') receipts.delete(entry.operation.receipt.receiptId);
      }
      return taken;
    },
    putBack: (front) => {
      entries = [...front, ...entries];
      for (const entry of front) index(entry);
    },
    receipt: (receiptId) => receipts.get(receiptId) ?? null,
    get length() {
      return entries.length;
    },
    get callers() {
      return callers;
    },
    get oldest() {
      return entries[0];
    },
  };
}

/** Kind and id of an operation for the log; never a hash or a label. */
export function subjectOf(operation: Operation): { kind: string; subject: string } {
  switch (operation.kind) {
    case 'receipt':
      return { kind: operation.kind, subject: operation.receipt.receiptId };
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

/** Resolves or rejects the caller, if there is one, with the operation's result; null is the common `stored`. */
export function answerCaller(entry: Waiting, result: OperationResult | null): void {
  if (result === null) entry.caller?.resolve('stored');
  else if (result.ok) entry.caller?.resolve(result.value);
  else entry.caller?.reject(new Error(`the ledger refused ${entry.operation.kind}: ${result.message}`));
}
