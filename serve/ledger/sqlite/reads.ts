import type { DatabaseSync } from 'node:sqlite';
import type { LedgerOverview } from '../port/books.ts';
import type { CheckoutStore } from '../port/checkout.ts';
import type { DebitRow, GrantAdmin, GrantEvent, GrantRow } from '../port/grant.ts';
import type { JobRow } from '../port/job.ts';
import type { ApiKeyRecord } from '../port/key.ts';
import type { ClaimedPayment, Provider, WatchEntry } from '../port/payment.ts';
import type { JournalRow, ReceiptRow } from '../port/receipt.ts';
import {
  checkoutRow,
  debitRow,
  grantRow,
  jobRow,
  journalRow,
  paymentRow,
  type RawRow,
  receiptRow,
  sessionRow,
  wholeNumber,
} from '../rows.ts';
import { grantEventRow, keyRecord, overviewOf, watchRow } from '../smallRows.ts';

type Found<Name extends keyof GrantAdmin> = Awaited<ReturnType<GrantAdmin[Name]>>;

/** Look-ups on the read-only connection of the main thread (P8.6); WAL readers never wait for the writer. */
export type Reads = {
  claim(claimKey: Uint8Array): ClaimedPayment | null;
  undelivered(o: {
    payer: string;
    fingerprint: Uint8Array;
    sinceMs: number;
    nowMs: number;
  }): ClaimedPayment | null;
  receipt(receiptId: string): ReceiptRow | null;
  receiptOfTransfer(gatewayTransferId: string): ReceiptRow | null;
  journal(receiptId: string): JournalRow[];
  exposure(payerIdentity: string): { payerMicro: number; totalMicro: number };
  jobOfClaim(claimKey: Uint8Array): JobRow | null;
  grant(grantId: string): GrantRow | null;
  grants(): GrantRow[];
  grantsOfWallet(wallet: string): GrantRow[];
  debits(grantId: string, o?: { readonly newest: number }): DebitRow[];
  grantEvents(grantId: string): GrantEvent[];
  session(sessionId: string): Found<'session'>;
  checkout(checkoutId: string): Awaited<ReturnType<CheckoutStore['find']>>;
  watched(payer: string, provider: Provider): boolean;
  watchlist(): WatchEntry[];
  keys(): ApiKeyRecord[];
  overview(): LedgerOverview;
  /** number of the newest journal row, 0 for none */
  newestEvent(): number;
};

/** Prepares the look-ups of the port. */
export function sqliteReads(database: DatabaseSync): Reads {
  const paymentOf = database.prepare('SELECT * FROM payments WHERE claim_key = ?');
  paymentOf.setReadBigInts(true);
  const receiptOf = database.prepare('SELECT * FROM receipts WHERE receipt_id = ?');
  const transferOf = database.prepare('SELECT * FROM receipts WHERE gateway_transfer_id = ?');
  const undeliveredOf = database.prepare(`
    SELECT p.claim_key FROM receipts r CROSS JOIN payments p
    WHERE r.delivery_status IN ('pending','undelivered') AND r.fingerprint = ? AND r.created_ms >= ?
      AND r.charge_status IN ('authorized','submitted','queued_for_batch','settled')
      AND p.claim_key = r.claim_key AND p.payer = ?
      AND (r.delivery_status = 'undelivered' OR p.owner_until_ms <= ?)
    ORDER BY r.charge_status IN ('queued_for_batch','settled') DESC, p.created_ms, p.claim_key LIMIT 1`);
  const journalOf = database.prepare('SELECT * FROM receipt_events WHERE receipt_id = ? ORDER BY event_id');
  const exposureOf = database.prepare(`
    SELECT coalesce(sum(charged_micro), 0) AS micro FROM receipts
    WHERE charge_status = 'queued_for_batch' AND payer_identity = ?`);
  const totalExposureOf = database.prepare(`
    SELECT coalesce(sum(charged_micro), 0) AS micro FROM receipts WHERE charge_status = 'queued_for_batch'`);
  const totalExposure = keptSum(() => wholeNumber(totalExposureOf.get()?.['micro']));
  const jobOf = database.prepare('SELECT * FROM settlement_jobs WHERE claim_key = ?');
  const grantOf = database.prepare('SELECT * FROM grants WHERE grant_id = ?');
  const allGrants = database.prepare('SELECT * FROM grants ORDER BY issued_ms, grant_id');
  const ofWallet = database.prepare('SELECT * FROM grants WHERE wallet = ? ORDER BY expires_ms, grant_id');
  const debitsOf = database.prepare(`
    SELECT d.*, r.reconciliation_key FROM grant_debits d JOIN receipts r ON r.receipt_id = d.receipt_id
    WHERE d.grant_id = ? ORDER BY d.created_ms, d.debit_id`);
  const newestDebits = database.prepare(`
    SELECT d.*, r.reconciliation_key FROM grant_debits d JOIN receipts r ON r.receipt_id = d.receipt_id
    WHERE d.grant_id = ? ORDER BY d.created_ms DESC, d.debit_id DESC LIMIT ?`);
  const eventsOf = database.prepare('SELECT * FROM grant_events WHERE grant_id = ? ORDER BY event_id');
  const sessionOf = database.prepare('SELECT * FROM grant_sessions WHERE session_id = ?');
  const checkoutOf = database.prepare('SELECT * FROM checkout_sessions WHERE checkout_id = ?');
  const isWatched = database.prepare(
    'SELECT 1 FROM payer_watchlist WHERE payer = ? AND provider = ? AND cleared_ms IS NULL',
  );
  const allWatched = database.prepare(
    'SELECT * FROM payer_watchlist WHERE cleared_ms IS NULL ORDER BY added_ms, payer, provider',
  );
  const allKeys = database.prepare('SELECT * FROM api_keys ORDER BY created_ms, key_id');
  const receiptCounts = database.prepare(`
    SELECT settlement_mode, charge_status, count(*) AS n, sum(charged_micro) AS micro FROM receipts
    GROUP BY settlement_mode, charge_status ORDER BY settlement_mode, charge_status`);
  const jobCounts = database.prepare(
    'SELECT state, count(*) AS n FROM settlement_jobs GROUP BY state ORDER BY state',
  );
  const undeliveredCount = database.prepare(`
    SELECT count(*) AS n FROM receipts
    WHERE delivery_status IN ('pending','undelivered') AND delivery_status = 'undelivered'
      AND charge_status IN ('authorized','submitted','queued_for_batch','settled')
      AND charge_status IN ('queued_for_batch','settled')`);
  const oldestJob = database.prepare(
    "SELECT min(created_ms) AS at FROM settlement_jobs WHERE state IN ('queued','leased','sent')",
  );
  const newestEvent = database.prepare('SELECT max(event_id) AS n FROM receipt_events');

  const receipt = (id: string) => one(receiptOf.get(id), receiptRow);
  const grant = (id: string) => one(grantOf.get(id), grantRow);

  function claim(claimKey: Uint8Array): ClaimedPayment | null {
    const payment = one(paymentOf.get(claimKey), paymentRow);
    const found = payment === null ? null : receipt(payment.receiptId);
    return payment === null || found === null ? null : { payment, receipt: found };
  }

  return {
    claim,
    receipt,
    receiptOfTransfer: (id) => one(transferOf.get(id), receiptRow),
    grant,
    undelivered: (o) => {
      const row = undeliveredOf.get(o.fingerprint, o.sinceMs, o.payer, o.nowMs);
      return row === undefined ? null : claim(row['claim_key'] as Uint8Array);
    },
    journal: (receiptId) => journalOf.all(receiptId).map(journalRow),
    exposure: (payerIdentity) => ({
      payerMicro: wholeNumber(exposureOf.get(payerIdentity)?.['micro']),
      totalMicro: totalExposure(),
    }),
    jobOfClaim: (claimKey) => one(jobOf.get(claimKey), jobRow),
    grants: () => allGrants.all().map(grantRow),
    grantsOfWallet: (wallet) => ofWallet.all(wallet).map(grantRow),
    debits: (grantId, o) =>
      (o === undefined ? debitsOf.all(grantId) : newestDebits.all(grantId, o.newest)).map(debitRow),
    grantEvents: (grantId) => eventsOf.all(grantId).map(grantEventRow),
    session: (sessionId) => {
      const session = one(sessionOf.get(sessionId), sessionRow);
      const of = session === null ? null : grant(session.grantId);
      return session === null || of === null ? null : { session, grant: of };
    },
    checkout: (checkoutId) => {
      const checkout = one(checkoutOf.get(checkoutId), checkoutRow);
      if (checkout === null) return null;
      return { checkout, grant: checkout.grantId === null ? null : grant(checkout.grantId) };
    },
    watched: (payer, provider) => isWatched.get(payer, provider) !== undefined,
    watchlist: () => allWatched.all().map(watchRow),
    keys: () => allKeys.all().map(keyRecord),
    overview: () =>
      overviewOf({
        receipts: receiptCounts.all(),
        jobs: jobCounts.all(),
        undelivered: undeliveredCount.get()?.['n'],
        oldestJob: oldestJob.get()?.['at'],
      }),
    newestEvent: () => wholeNumber(newestEvent.get()?.['n'] ?? 0),
  };
}

function one<T>(row: RawRow | undefined, shape: (row: RawRow) => T): T | null {
  return row === undefined ? null : shape(row);
}

/**
 * A sum over all rows that took a while is kept for a hundred times as long, at most a second: it then costs one
 * hundredth of the time, and a bound on promises may be that late (P3.11). Short sums are made anew.
 */
function keptSum(make: () => number): () => number {
  let kept = 0;
  let untilMs = Number.NEGATIVE_INFINITY;
  return () => {
    const startMs = performance.now();
    if (startMs < untilMs) return kept;
    kept = make();
    const tookMs = performance.now() - startMs;
    untilMs = tookMs < 1 ? Number.NEGATIVE_INFINITY : startMs + Math.min(1000, 100 * tookMs);
    return kept;
  };
}
