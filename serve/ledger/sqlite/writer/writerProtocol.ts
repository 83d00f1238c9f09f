import { Worker } from 'node:worker_threads';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import type { Delivery } from '../../port/ledger.ts';
import type { UnchargedReceipt } from '../../rows/receipt.ts';
import type { ColdName } from '../../writes/coldWrites.ts';
import type { Call, CallName } from '../calls/writerCalls.ts';

/** A cold write on its way to the writer thread, with the time it was asked for at. */
type ColdCall = {
  readonly kind: 'cold';
  readonly name: ColdName;
  readonly input: unknown;
  readonly nowMs: number;
};

/** One write of the ledger; each runs under its own savepoint (P8.7). */
export type Operation =
  | UnchargedReceipt
  | { readonly kind: 'delivery'; readonly receiptId: string; readonly delivery: Delivery }
  | { readonly kind: 'key_used'; readonly keyId: string; readonly atMs: number }
  | ColdCall
  | Call;

/** What one operation came to: a value, or the database's refusal of this operation alone. */
export type OperationResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string };

/** Why a whole batch was rolled back while the writer lives: nothing of it is stored, it may be sent again. */
export type WriteObstacle = 'disk_full' | 'file_busy';

export type ToWriter =
  | { readonly kind: 'batch'; readonly operations: readonly Operation[] }
  | { readonly kind: 'maintain'; readonly checkpoint: boolean }
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'ready'; readonly freeBytes: number }
  | {
      readonly kind: 'refused';
      readonly code: 'configuration' | 'store_unwritable';
      message: string;
      hint: string;
    }
  | {
      readonly kind: 'committed';
      /** in the order of the batch; null for the common `stored` */
      readonly results: readonly (OperationResult | null)[];
      readonly commitMs: number;
      readonly freeBytes: number;
    }
  | { readonly kind: 'rolled_back'; readonly obstacle: WriteObstacle; readonly code: number }
  | { readonly kind: 'maintained'; readonly freeBytes: number }
  | { readonly kind: 'closed' };

/** The only word an operation without a caller comes to. */
export const stored = 'stored';

const beginning: ReadonlySet<CallName | ColdName> = new Set([
  'claim',
  'hold',
  'insertNotCharged',
  'createCheckout',
]);

const ending: ReadonlySet<CallName | ColdName> = new Set([
  'transition',
  'alias',
  'noteUnknown',
  'noteTx',
  'noteCheck',
  'endHold',
  'finishJob',
  'storeSigned',
  'applyWebhook',
]);

/** True for what begins something with money: refused while the disk is low or the queue is full (P8.8, P8.12). */
export function begins(operation: Operation): boolean {
  return isCall(operation) && beginning.has(operation.name);
}

/** True for what brings running money to its end: the reserve file is spent on it (P8.12). */
export function endsMoney(operation: Operation): boolean {
  return isCall(operation) && ending.has(operation.name);
}

function isCall(operation: Operation): operation is Extract<Operation, { kind: 'call' | 'cold' }> {
  return operation.kind === 'call' || operation.kind === 'cold';
}

/** A running writer, as its thread is reached; it ends by itself after `close`. */
export type WriterHandle = { postMessage(message: ToWriter): void };

/** Starts a writer; `dead` is called once, when it ends without having said `closed` or `refused`. */
export type SpawnWriter = (on: {
  message(message: FromWriter): void;
  dead(error: Error): void;
}) => WriterHandle;

/**
 * Starts the writer in a worker thread of this process (P8.6). `entry` is the module the thread runs; `onStart`
 * sees each thread, to measure its share of CPU time.
 */
export function threadWriter(input: {
  path: string;
  entry?: URL;
  onStart?: (worker: Worker) => void;
}): SpawnWriter {
  const entry = input.entry ?? new URL('./writerThread.ts', import.meta.url);
  return (on) => {
    const worker = new Worker(entry, { workerData: { path: input.path }, name: 'ledger-writer' });
    input.onStart?.(worker);
    let over = false;
    worker.on('message', (message: FromWriter) => {
      if (message.kind === 'closed' || message.kind === 'refused') over = true;
      on.message(message);
    });
    const end = (error: Error) => {
      if (over) return;
      over = true;
      on.dead(error);
    };
    worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => end(new Error(`the ledger writer ended with code ${code}`)));
    return worker;
  };
}

/** What was not written, or perhaps not (P8.10). */
export function unavailable(message: string): IssuerError {
  const hint = 'Free the disk or end the program that holds the file, then try again.';
  return new IssuerError({ code: 'store_unwritable', message, hint });
}
