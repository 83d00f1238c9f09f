import type { LedgerOverview } from '../port/books.ts';
import type { CheckoutRow } from '../port/checkout.ts';
import type { GrantRow } from '../port/grant.ts';
import type { JobRow } from '../port/job.ts';
import type { ApiKeyRecord } from '../port/key.ts';
import type { Provider, WatchEntry } from '../port/payment.ts';
import type { ChargeStatus, SettlementMode } from '../port/receipt.ts';
import { wholeNumber } from '../rows/columns.ts';
import { checkoutRow, jobRow, keyRecord, watchRow } from '../rows/tables.ts';
import { firstOf, rowsOf, type Steps, statement } from '../steps/steps.ts';
import { grantOf } from './grantReads.ts';

/** The reads of keys, checkouts, jobs and the watch list, and the counts of an overview. */
export const operatorStatements = {
  keys: statement('SELECT * FROM api_keys ORDER BY created_ms, key_id'),
  checkout: statement('SELECT * FROM checkout_sessions WHERE checkout_id = $1'),
  job: statement('SELECT * FROM settlement_jobs WHERE claim_key = $1'),
  isWatched: statement(`SELECT 1 AS found FROM payer_watchlist
    WHERE payer = $1 AND provider = $2 AND cleared_ms IS NULL`),
  watchlist: statement(`SELECT * FROM payer_watchlist WHERE cleared_ms IS NULL
    ORDER BY added_ms, payer, provider`),
  receiptCounts: statement(`SELECT settlement_mode, charge_status, count(*) AS n, sum(charged_micro) AS micro
    FROM receipts GROUP BY settlement_mode, charge_status ORDER BY settlement_mode, charge_status`),
  jobCounts: statement('SELECT state, count(*) AS n FROM settlement_jobs GROUP BY state ORDER BY state'),
  // conditions that say less than the next one repeat the partial index's predicate, so that the planner uses it
  undeliveredCount: statement(`SELECT count(*) AS n FROM receipts
    WHERE delivery_status IN ('pending','undelivered') AND delivery_status = 'undelivered'
      AND charge_status IN ('authorized','submitted','queued_for_batch','settled')
      AND charge_status IN ('queued_for_batch','settled')`),
  oldestJob: statement(`SELECT min(created_ms) AS at FROM settlement_jobs
    WHERE state IN ('queued','leased','sent')`),
} as const;

export function* keyRecords(): Steps<ApiKeyRecord[]> {
  return (yield* rowsOf(operatorStatements.keys)).map(keyRecord);
}

/** A checkout with the grant it credited or may raise. */
export function* checkoutOf(
  checkoutId: string,
): Steps<{ checkout: CheckoutRow; grant: GrantRow | null } | null> {
  const row = yield* firstOf(operatorStatements.checkout, checkoutId);
  if (row === null) return null;
  const checkout = checkoutRow(row);
  return { checkout, grant: checkout.grantId === null ? null : yield* grantOf(checkout.grantId) };
}

export function* jobOfClaim(claimKey: Uint8Array): Steps<JobRow | null> {
  const row = yield* firstOf(operatorStatements.job, claimKey);
  return row === null ? null : jobRow(row);
}

/** Whether batched payments of a payer are refused (I3.9). */
export function* isWatched(payer: string, provider: Provider): Steps<boolean> {
  return (yield* firstOf(operatorStatements.isWatched, payer, provider)) !== null;
}

export function* watchlist(): Steps<WatchEntry[]> {
  return (yield* rowsOf(operatorStatements.watchlist)).map(watchRow);
}

/** The counts of P9.14. */
export function* overview(): Steps<LedgerOverview> {
  const { receiptCounts, jobCounts, undeliveredCount, oldestJob } = operatorStatements;
  const receipts = (yield* rowsOf(receiptCounts)).map((row) => ({
    mode: row['settlement_mode'] as SettlementMode,
    status: row['charge_status'] as ChargeStatus,
    count: wholeNumber(row['n']),
    chargedMicro: wholeNumber(row['micro']),
  }));
  const jobs = yield* rowsOf(jobCounts);
  const undelivered = (yield* firstOf(undeliveredCount))?.['n'];
  const oldest = (yield* firstOf(oldestJob))?.['at'];
  const open = receipts.filter((r) => r.status === 'authorized' || r.status === 'submitted');
  return {
    receipts,
    jobs: jobs.map((row) => ({ state: String(row['state']), count: wholeNumber(row['n']) })),
    unresolved: open.reduce((sum, r) => sum + r.count, 0),
    undelivered: wholeNumber(undelivered ?? 0),
    oldestJobMs: oldest === null || oldest === undefined ? null : wholeNumber(oldest),
  };
}
