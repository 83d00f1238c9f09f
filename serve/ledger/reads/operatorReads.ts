import { type CheckoutRow, checkoutRow } from '../port/checkout.ts';
import type { GrantRow } from '../port/grant.ts';
import { type JobRow, jobRow } from '../port/job.ts';
import { type ApiKeyInfo, type ApiKeyRecord, keyInfoTable, keyTable } from '../port/key.ts';
import { type Provider, type WatchEntry, watchTable } from '../port/payment.ts';
import { firstOf, rowsBy, type Steps, statement } from '../steps/steps.ts';
import { grantOf } from './grantReads.ts';

/** The reads of keys, checkouts, jobs and the watch list. */
export const operatorStatements = {
  keys: statement('SELECT * FROM api_keys ORDER BY created_ms, key_id'),
  checkout: statement('SELECT * FROM checkout_sessions WHERE checkout_id = $1'),
  job: statement('SELECT * FROM settlement_jobs WHERE claim_key = $1'),
  isWatched: statement(`SELECT 1 AS found FROM payer_watchlist
    WHERE payer = $1 AND provider = $2 AND cleared_ms IS NULL`),
  watchlist: statement(`SELECT * FROM payer_watchlist WHERE cleared_ms IS NULL
    ORDER BY added_ms, payer, provider`),
} as const;

export function keyRecords(): Steps<readonly ApiKeyRecord[]> {
  return rowsBy(keyTable, operatorStatements.keys);
}

/** The same as it may be shown. */
export function keyInfos(): Steps<readonly ApiKeyInfo[]> {
  return rowsBy(keyInfoTable, operatorStatements.keys);
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

export function watchlist(): Steps<readonly WatchEntry[]> {
  return rowsBy(watchTable, operatorStatements.watchlist);
}
