import type { DatabaseSync } from 'node:sqlite';
import { type HoldCalls, holdCalls } from './holdCalls.ts';
import { type PaymentCalls, paymentCalls } from './paymentCalls.ts';

/** The hot writes of the port beside the receipts that are not awaited; one call is one transaction (P8.2). */
export type WriterCalls = PaymentCalls & HoldCalls;

export type CallName = keyof WriterCalls;

/** A call on its way to the writer thread. */
export type Call = { readonly kind: 'call'; readonly name: CallName; readonly input: unknown };

/** Prepares every call on the write connection. */
export function writerCalls(database: DatabaseSync): WriterCalls {
  return { ...paymentCalls(database), ...holdCalls(database) };
}

/** Runs one call by its name. */
export function runCall(calls: WriterCalls, call: Call): unknown {
  // name and input were put together by the typed sender of this process
  const run = calls[call.name] as (input: unknown) => unknown;
  return run(call.input);
}
