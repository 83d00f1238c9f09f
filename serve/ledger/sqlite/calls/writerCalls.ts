import type { DatabaseSync } from 'node:sqlite';
import { type CheckoutCalls, checkoutCalls } from './checkoutCalls.ts';
import { type GrantCalls, grantCalls } from './grantCalls.ts';
import { type HoldCalls, holdCalls } from './holdCalls.ts';
import { type JobCalls, jobCalls } from './jobCalls.ts';
import { type PaymentCalls, paymentCalls } from './paymentCalls.ts';

/** Every write of the port that is more than a handed-over receipt; one call is one transaction (P8.2). */
export type WriterCalls = PaymentCalls & HoldCalls & GrantCalls & JobCalls & CheckoutCalls;

export type CallName = keyof WriterCalls;

/** A call on its way to the writer thread. */
export type Call = { readonly kind: 'call'; readonly name: CallName; readonly input: unknown };

/** Prepares every call on the write connection. */
export function writerCalls(database: DatabaseSync): WriterCalls {
  const payments = paymentCalls(database);
  return {
    ...payments,
    ...holdCalls(database),
    ...grantCalls(database),
    ...jobCalls(database, payments.transition),
    ...checkoutCalls(database),
  };
}

/** Runs one call by its name. */
export function runCall(calls: WriterCalls, call: Call): unknown {
  // name and input were put together by the typed sender of this process
  const run = calls[call.name] as (input: unknown) => unknown;
  return run(call.input);
}
