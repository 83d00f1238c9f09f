import type { DatabaseSync } from 'node:sqlite';
import type { HoldInput, HoldResult } from '../../port/grant.ts';
import type { SweepReport } from '../../port/ledger.ts';
import type { IdemInput, ReceiptInput, ReceiptRow } from '../../port/receipt.ts';
import { heldRow, notChargedRow } from '../../rows/receipt.ts';
import { grantRow, receiptRow } from '../../rows/rows.ts';
import { insertReceiptSql, receiptValues } from './inserts.ts';
import { prepareNamed } from './prepareNamed.ts';

type Held = Extract<HoldResult, { kind: 'held' }>;

/** What the writer can do with holds and idempotency keys; each function runs inside a transaction. */
export type HoldCalls = {
  /** `held` comes without the receipt, which the caller has. */
  hold(o: HoldInput & { nowMs: number }): Omit<Held, 'receipt'> | Exclude<HoldResult, Held>;
  endHold(o: { debitId: string; to: 'debited' | 'released'; atMs: number }): boolean;
  insertNotCharged(o: {
    receipt: ReceiptInput;
    idem: IdemInput;
    nowMs: number;
  }): 'stored' | { replayOf: ReceiptRow } | 'idem_conflict';
  replayed(receiptId: string): void;
  sweep(nowMs: number): SweepReport;
};

const dayMs = 86_400_000;
const webhookDays = 400;

/** Prepares the statements of holds (PAYMENTS 7.B), idempotency keys (I5.30) and the sweep (P8.41, P8.62). */
export function holdCalls(database: DatabaseSync): HoldCalls {
  const insertDebit = prepareNamed(
    `
    INSERT INTO grant_debits (debit_id, grant_id, session_id, receipt_id, route_id, fingerprint, amount_micro, state,
      hold_until_ms, created_ms, updated_ms)
    SELECT :debit, g.grant_id, :session, :receipt, :route, :fingerprint, :amount, 'held', :until, :now, :now
    FROM grants g
    WHERE g.grant_id = :grant AND g.status = 'active' AND g.expires_ms > :now
      AND g.budget_micro - g.spent_micro - g.held_micro >= :amount`,
    database,
  );
  const insertReceipt = database.prepare(insertReceiptSql);
  const grantOf = database.prepare('SELECT * FROM grants WHERE grant_id = ?');
  const receiptOf = database.prepare('SELECT * FROM receipts WHERE receipt_id = ?');
  const keyOf = database.prepare(
    'SELECT fingerprint, receipt_id FROM idempotency_keys WHERE holder = ? AND idem_key = ? AND expires_ms > ?',
  );
  const insertKey = database.prepare(`
    INSERT OR REPLACE INTO idempotency_keys (holder, idem_key, fingerprint, receipt_id, created_ms, expires_ms)
    VALUES (?, ?, ?, ?, ?, ?)`);
  const forgetKey = database.prepare(`
    DELETE FROM idempotency_keys WHERE receipt_id = (SELECT receipt_id FROM grant_debits WHERE debit_id = ?)
      AND holder = (SELECT 'grant:' || grant_id FROM grant_debits WHERE debit_id = ?)`);
  const endDebit = database.prepare(
    "UPDATE grant_debits SET state = ?, updated_ms = ? WHERE debit_id = ? AND state = 'held'",
  );
  const countReplay = database.prepare(
    'UPDATE receipts SET replay_count = replay_count + 1 WHERE receipt_id = ?',
  );
  const dueHolds = database.prepare(
    "SELECT debit_id FROM grant_debits WHERE state = 'held' AND hold_until_ms <= ? LIMIT 500",
  );
  const expireGrants = database.prepare(`
    UPDATE grants SET status = 'expired', updated_ms = ?
    WHERE status IN ('active','exhausted','suspended') AND expires_ms <= ?`);
  const forgetChallenges = database.prepare('DELETE FROM challenges WHERE issued_ms <= ?');
  const forgetKeys = database.prepare('DELETE FROM idempotency_keys WHERE expires_ms <= ?');
  // a handler that has ended answers no more: what it left pending counts as never delivered; what is
  // repeated is the condition of the index, without which it is not used
  const loseAnswers = database.prepare(`
    UPDATE receipts SET delivery_status = 'undelivered'
    WHERE delivery_status IN ('pending','undelivered') AND delivery_status = 'pending'
      AND charge_status IN ('authorized','submitted','queued_for_batch','settled')
      AND charge_status IN ('queued_for_batch','settled')
      AND EXISTS (SELECT 1 FROM payments p WHERE p.claim_key = receipts.claim_key AND p.owner_until_ms <= ?)`);
  const forgetWebhooks = database.prepare('DELETE FROM webhook_events WHERE received_ms <= ?');

  /** The first receipt of a live key, `conflict` when it is bound to another request, null when it is free. */
  function earlier(idem: IdemInput | null, nowMs: number): ReceiptRow | 'conflict' | null {
    if (idem === null) return null;
    const key = keyOf.get(idem.holder, idem.key, nowMs);
    if (key === undefined) return null;
    if (Buffer.compare(key['fingerprint'] as Uint8Array, idem.fingerprint) !== 0) return 'conflict';
    const receipt = receiptOf.get(String(key['receipt_id']));
    return receipt === undefined ? null : receiptRow(receipt);
  }

  function bind(idem: IdemInput, receiptId: string, nowMs: number): void {
    insertKey.run(idem.holder, idem.key, idem.fingerprint, receiptId, nowMs, idem.expiresMs);
  }

  function endHold({
    debitId,
    to,
    atMs,
  }: {
    debitId: string;
    to: 'debited' | 'released';
    atMs: number;
  }): boolean {
    if (endDebit.run(to, atMs, debitId).changes === 0) return false;
    // the retry of a released call is a fresh call (P7.16)
    if (to === 'released') forgetKey.run(debitId, debitId);
    return true;
  }

  return {
    hold: (h) => {
      const known = grantOf.get(h.grantId);
      if (known === undefined) return { kind: 'refused', why: 'unknown', grant: null };
      const first = earlier(h.idem, h.nowMs);
      if (first === 'conflict') return { kind: 'idem_conflict' };
      if (first !== null) return { kind: 'replay', receipt: first, grant: grantRow(known) };
      const { changes } = insertDebit({
        debit: h.debitId,
        grant: h.grantId,
        session: h.sessionId,
        receipt: h.receipt.receiptId,
        route: h.receipt.routeId,
        fingerprint: h.receipt.fingerprint,
        amount: h.amountMicro,
        until: h.nowMs + h.holdMs,
        now: h.nowMs,
      });
      const grant = grantRow(grantOf.get(h.grantId) ?? known);
      if (changes === 0) {
        const expired = grant.status === 'expired' || grant.expiresMs <= h.nowMs;
        const other = grant.status === 'active' ? 'insufficient' : grant.status;
        return { kind: 'refused', why: expired ? 'expired' : other, grant };
      }
      insertReceipt.run(...receiptValues(heldRow(h)));
      if (h.idem !== null) bind(h.idem, h.receipt.receiptId, h.nowMs);
      return { kind: 'held', grant };
    },
    endHold,
    insertNotCharged: ({ receipt, idem, nowMs }) => {
      const first = earlier(idem, nowMs);
      if (first === 'conflict') return 'idem_conflict';
      if (first !== null) return { replayOf: first };
      insertReceipt.run(...receiptValues(notChargedRow(receipt)));
      bind(idem, receipt.receiptId, nowMs);
      return 'stored';
    },
    replayed: (receiptId) => {
      countReplay.run(receiptId);
    },
    sweep: (nowMs) => {
      const holds = dueHolds.all(nowMs).map((row) => String(row['debit_id']));
      for (const debitId of holds) endHold({ debitId, to: 'released', atMs: nowMs });
      return {
        holdsReleased: holds.length,
        grantsExpired: Number(expireGrants.run(nowMs, nowMs).changes),
        challengesDeleted: Number(forgetChallenges.run(nowMs - dayMs).changes),
        idempotencyDeleted: Number(forgetKeys.run(nowMs).changes),
        webhooksDeleted: Number(forgetWebhooks.run(nowMs - webhookDays * dayMs).changes),
        answersLost: Number(loseAnswers.run(nowMs).changes),
      };
    },
  };
}
