import type { LedgerOverview } from '../port/books.ts';
import type { CheckoutStore } from '../port/checkout.ts';
import type { DebitRow, GrantAdmin, GrantEvent, GrantRow } from '../port/grant.ts';
import type { JobRow } from '../port/job.ts';
import type { ClaimedPayment, DueKind, Provider, WatchEntry } from '../port/payment.ts';
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
import { grantEventRow, overviewOf, watchRow } from '../smallRows.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';

/** Look-ups of the port, and the leasing of due claims. */
export type PostgresReads = {
  claim(claimKey: Uint8Array): Promise<ClaimedPayment | null>;
  undelivered(o: { payer: string; fingerprint: Uint8Array; sinceMs: number }): Promise<ClaimedPayment | null>;
  takeDue(o: { kind: DueKind; owner: string; leaseMs: number; limit: number }): Promise<ClaimedPayment[]>;
  receipt(receiptId: string): Promise<ReceiptRow | null>;
  receiptOfTransfer(gatewayTransferId: string): Promise<ReceiptRow | null>;
  journal(receiptId: string): Promise<JournalRow[]>;
  exposure(payerIdentity: string): Promise<{ payerMicro: number; totalMicro: number }>;
  jobOfClaim(claimKey: Uint8Array): Promise<JobRow | null>;
  grant(grantId: string): Promise<GrantRow | null>;
  grants(): Promise<GrantRow[]>;
  grantsOfWallet(wallet: string): Promise<GrantRow[]>;
  debits(grantId: string, o?: { readonly newest: number }): Promise<DebitRow[]>;
  grantEvents(grantId: string): Promise<GrantEvent[]>;
  session: GrantAdmin['session'];
  checkout: CheckoutStore['find'];
  watched(payer: string, provider: Provider): Promise<boolean>;
  watchlist(): Promise<WatchEntry[]>;
  overview(): Promise<LedgerOverview>;
  newestEvent(): Promise<number>;
};

/** Builds the look-ups; `now` is null in service, where the database's clock decides (P8.17). */
export function postgresReads(database: PostgresDatabase, now: () => number | null): PostgresReads {
  const { rows, row } = database;

  async function receipt(receiptId: string): Promise<ReceiptRow | null> {
    return one(await row('SELECT * FROM receipts WHERE receipt_id = $1', [receiptId]), receiptRow);
  }

  async function grant(grantId: string): Promise<GrantRow | null> {
    return one(await row('SELECT * FROM grants WHERE grant_id = $1', [grantId]), grantRow);
  }

  async function claimed(claims: readonly RawRow[]): Promise<ClaimedPayment[]> {
    const payments = claims.map(paymentRow);
    const found = await rows('SELECT * FROM receipts WHERE receipt_id = ANY ($1)', [
      payments.map((p) => p.receiptId),
    ]);
    const receipts = new Map(found.map(receiptRow).map((r) => [r.receiptId, r]));
    return payments.flatMap((payment) => {
      const of = receipts.get(payment.receiptId);
      return of === undefined ? [] : [{ payment, receipt: of }];
    });
  }

  return {
    receipt,
    receiptOfTransfer: async (id) =>
      one(await row('SELECT * FROM receipts WHERE gateway_transfer_id = $1', [id]), receiptRow),
    grant,
    claim: async (claimKey) => {
      const found = await rows('SELECT * FROM payments WHERE claim_key = $1', [Buffer.from(claimKey)]);
      return found.length === 0 ? null : ((await claimed(found))[0] ?? null);
    },
    undelivered: async (o) => {
      const found = await rows(
        `SELECT p.* FROM receipts r JOIN payments p ON p.claim_key = r.claim_key
          WHERE p.payer = $1 AND r.fingerprint = $2 AND r.created_ms >= $3
            AND r.charge_status IN ('authorized','submitted','queued_for_batch','settled')
            AND r.delivery_status IN ('pending','undelivered')
            AND (r.delivery_status = 'undelivered' OR p.owner_until_ms <= ledger_now($4))
          ORDER BY r.charge_status IN ('queued_for_batch','settled') DESC, p.created_ms, p.claim_key LIMIT 1`,
        [o.payer, Buffer.from(o.fingerprint), o.sinceMs, now()],
      );
      return found.length === 0 ? null : ((await claimed(found))[0] ?? null);
    },
    takeDue: async (o) => {
      const open = o.kind === 'recovery';
      const statuses = open ? ['authorized', 'submitted'] : ['queued_for_batch', 'settled'];
      // the call of a settled payment has ended: its transfer is looked at whoever still sends the answer (P8.54),
      // and the time of that handler stays what it was (P2.46)
      const taken = await rows(
        `WITH due AS (
            SELECT p.claim_key FROM payments p JOIN receipts r ON r.receipt_id = p.receipt_id
            WHERE p.next_check_ms <= ledger_now($1) AND (NOT $6::boolean OR p.owner_until_ms <= ledger_now($1))
              AND r.charge_status = ANY ($2)
            ORDER BY p.next_check_ms, p.claim_key LIMIT $3 FOR UPDATE OF p SKIP LOCKED)
          UPDATE payments SET owner = $4,
            owner_until_ms = CASE WHEN $6 THEN ledger_now($1) + $5::bigint ELSE owner_until_ms END,
            next_check_ms = CASE WHEN $6 THEN next_check_ms ELSE ledger_now($1) + $5::bigint END
          FROM due WHERE payments.claim_key = due.claim_key RETURNING payments.*`,
        [now(), statuses, o.limit, o.owner, o.leaseMs, open],
      );
      // a handler may have moved its receipt between the two statements
      return taken.length === 0
        ? []
        : (await claimed(taken)).filter(({ receipt: r }) => statuses.includes(r.chargeStatus));
    },
    journal: async (receiptId) =>
      (await rows('SELECT * FROM receipt_events WHERE receipt_id = $1 ORDER BY event_id', [receiptId])).map(
        journalRow,
      ),
    exposure: async (payerIdentity) => {
      const sums = await row(
        `SELECT coalesce(sum(charged_micro), 0) AS total,
            coalesce(sum(charged_micro) FILTER (WHERE payer_identity = $1), 0) AS payer
          FROM receipts WHERE charge_status = 'queued_for_batch'`,
        [payerIdentity],
      );
      return { payerMicro: wholeNumber(sums?.['payer']), totalMicro: wholeNumber(sums?.['total']) };
    },
    jobOfClaim: async (claimKey) =>
      one(await row('SELECT * FROM settlement_jobs WHERE claim_key = $1', [Buffer.from(claimKey)]), jobRow),
    grants: async () => (await rows('SELECT * FROM grants ORDER BY issued_ms, grant_id')).map(grantRow),
    grantsOfWallet: async (wallet) =>
      (await rows('SELECT * FROM grants WHERE wallet = $1 ORDER BY expires_ms, grant_id', [wallet])).map(
        grantRow,
      ),
    debits: async (grantId, o) =>
      (o === undefined
        ? await rows(
            `SELECT d.*, r.reconciliation_key FROM grant_debits d JOIN receipts r ON r.receipt_id = d.receipt_id
              WHERE d.grant_id = $1 ORDER BY d.created_ms, d.debit_id`,
            [grantId],
          )
        : await rows(
            `SELECT d.*, r.reconciliation_key FROM grant_debits d JOIN receipts r ON r.receipt_id = d.receipt_id
              WHERE d.grant_id = $1 ORDER BY d.created_ms DESC, d.debit_id DESC LIMIT $2`,
            [grantId, o.newest],
          )
      ).map(debitRow),
    grantEvents: async (grantId) =>
      (await rows('SELECT * FROM grant_events WHERE grant_id = $1 ORDER BY event_id', [grantId])).map(
        grantEventRow,
      ),
    session: async (sessionId) => {
      const found = await row('SELECT * FROM grant_sessions WHERE session_id = $1', [sessionId]);
      if (found === null) return null;
      const session = sessionRow(found);
      const of = await grant(session.grantId);
      return of === null ? null : { session, grant: of };
    },
    checkout: async (checkoutId) => {
      const found = await row('SELECT * FROM checkout_sessions WHERE checkout_id = $1', [checkoutId]);
      if (found === null) return null;
      const checkout = checkoutRow(found);
      return { checkout, grant: checkout.grantId === null ? null : await grant(checkout.grantId) };
    },
    watched: async (payer, provider) =>
      (await row(
        'SELECT 1 AS found FROM payer_watchlist WHERE payer = $1 AND provider = $2 AND cleared_ms IS NULL',
        [payer, provider],
      )) !== null,
    watchlist: async () =>
      (
        await rows(
          'SELECT * FROM payer_watchlist WHERE cleared_ms IS NULL ORDER BY added_ms, payer, provider',
        )
      ).map(watchRow),
    overview: async () => {
      const counts = await row(
        `SELECT
          (SELECT coalesce(jsonb_agg(t ORDER BY settlement_mode, charge_status), '[]') FROM (
            SELECT settlement_mode, charge_status, count(*) AS n, sum(charged_micro) AS micro
            FROM receipts GROUP BY settlement_mode, charge_status) t) AS receipts,
          (SELECT coalesce(jsonb_agg(t ORDER BY state), '[]') FROM (
            SELECT state, count(*) AS n FROM settlement_jobs GROUP BY state) t) AS jobs,
          (SELECT count(*) FROM receipts WHERE charge_status IN ('settled','queued_for_batch')
            AND delivery_status = 'undelivered') AS undelivered,
          (SELECT min(created_ms) FROM settlement_jobs WHERE state IN ('queued','leased','sent')) AS oldest_job`,
      );
      return overviewOf({
        receipts: counts?.['receipts'] as RawRow[],
        jobs: counts?.['jobs'] as RawRow[],
        undelivered: counts?.['undelivered'],
        oldestJob: counts?.['oldest_job'],
      });
    },
    newestEvent: async () =>
      wholeNumber((await row('SELECT coalesce(max(event_id), 0) AS n FROM receipt_events'))?.['n']),
  };
}

function one<T>(row: RawRow | null, shape: (row: RawRow) => T): T | null {
  return row === null ? null : shape(row);
}
