import type { DatabaseSync } from 'node:sqlite';
import { grantRow, type HoldInput, type HoldResult } from '../../port/grant.ts';
import type { SweepReport } from '../../port/ledger.ts';
import { type IdemInput, type ReceiptInput, type ReceiptRow, receiptRow } from '../../port/receipt.ts';
import { heldRow, notChargedRow, receiptValues } from '../../rows/receipt.ts';
import { insertReceiptSql, prepareNamed } from './inserts.ts';

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

/** Prepares holds (PAYMENTS 7.B), idempotency keys (I5.30) and the sweep (P8.41, P8.62). */
export function holdCalls(database: DatabaseSync): HoldCalls {
  const prepared = holdStatements(database);
  return {
    hold: (input) => hold(prepared, input),
    endHold: (input) => endHold(prepared, input),
    insertNotCharged: (input) => insertNotCharged(prepared, input),
    replayed: (receiptId) => {
      prepared.countReplay.run(receiptId);
    },
    sweep: (nowMs) => sweep(prepared, nowMs),
  };
}

type Prepared = ReturnType<typeof holdStatements>;

function holdStatements(database: DatabaseSync) {
  return {
    insertDebit: prepareNamed(
      `
    INSERT INTO grant_debits (debit_id, grant_id, session_id, receipt_id, route_id, fingerprint, amount_micro, state,
      hold_until_ms, created_ms, updated_ms)
    SELECT :debit, g.grant_id, :session, :receipt, :route, :fingerprint, :amount, 'held', :until, :now, :now
    FROM grants g
    WHERE g.grant_id = :grant AND g.status = 'active' AND g.expires_ms > :now
      AND g.budget_micro - g.spent_micro - g.held_micro >= :amount`,
      database,
    ),
    insertReceipt: database.prepare(insertReceiptSql),
    grantOf: database.prepare('SELECT * FROM grants WHERE grant_id = ?'),
    receiptOf: database.prepare('SELECT * FROM receipts WHERE receipt_id = ?'),
    keyOf: database.prepare(
      'SELECT fingerprint, receipt_id FROM idempotency_keys WHERE holder = ? AND idem_key = ? AND expires_ms > ?',
    ),
    insertKey: database.prepare(`
    INSERT OR REPLACE INTO idempotency_keys (holder, idem_key, fingerprint, receipt_id, created_ms, expires_ms)
    VALUES (?, ?, ?, ?, ?, ?)`),
    forgetKey: database.prepare(`
    DELETE FROM idempotency_keys WHERE receipt_id = (SELECT receipt_id FROM grant_debits WHERE debit_id = ?)
      AND holder = (SELECT 'grant:' || grant_id FROM grant_debits WHERE debit_id = ?)`),
    endDebit: database.prepare(
      "UPDATE grant_debits SET state = ?, updated_ms = ? WHERE debit_id = ? AND state = 'held'",
    ),
    countReplay: database.prepare('UPDATE receipts SET replay_count = replay_count + 1 WHERE receipt_id = ?'),
    dueHolds: database.prepare(
      "SELECT debit_id FROM grant_debits WHERE state = 'held' AND hold_until_ms <= ? LIMIT 500",
    ),
    expireGrants: database.prepare(`
    UPDATE grants SET status = 'expired', updated_ms = ?
    WHERE status IN ('active','exhausted','suspended') AND expires_ms <= ?`),
    forgetChallenges: database.prepare('DELETE FROM challenges WHERE issued_ms <= ?'),
    forgetKeys: database.prepare('DELETE FROM idempotency_keys WHERE expires_ms <= ?'),
    // a handler that has ended answers no more: what it left pending counts as never delivered; what is
    // repeated is the condition of the index, without which it is not used
    loseAnswers: database.prepare(`
    UPDATE receipts SET delivery_status = 'undelivered'
    WHERE delivery_status IN ('pending','undelivered') AND delivery_status = 'pending'
      AND charge_status IN ('authorized','submitted','queued_for_batch','settled')
      AND charge_status IN ('queued_for_batch','settled')
      AND EXISTS (SELECT 1 FROM payments p WHERE p.claim_key = receipts.claim_key AND p.owner_until_ms <= ?)`),
    forgetWebhooks: database.prepare('DELETE FROM webhook_events WHERE received_ms <= ?'),
  };
}

/** The first receipt of a live key, `conflict` when it is bound to another request, null when it is free. */
function earlier(
  { keyOf, receiptOf }: Prepared,
  idem: IdemInput | null,
  nowMs: number,
): ReceiptRow | 'conflict' | null {
  if (idem === null) return null;
  const key = keyOf.get(idem.holder, idem.key, nowMs);
  if (key === undefined) return null;
  if (Buffer.compare(key['fingerprint'] as Uint8Array, idem.fingerprint) !== 0) return 'conflict';
  const receipt = receiptOf.get(String(key['receipt_id']));
  return receipt === undefined ? null : receiptRow(receipt);
}

/** Inserts a receipt, and binds it to its key where it has one. */
function insert(
  { insertReceipt, insertKey }: Prepared,
  row: ReceiptRow,
  { idem, nowMs }: { readonly idem: IdemInput | null; readonly nowMs: number },
): void {
  insertReceipt.run(...receiptValues(row));
  if (idem === null) return;
  insertKey.run(idem.holder, idem.key, idem.fingerprint, row.receiptId, nowMs, idem.expiresMs);
}

function hold(prepared: Prepared, h: Parameters<HoldCalls['hold']>[0]): ReturnType<HoldCalls['hold']> {
  const { grantOf, insertDebit } = prepared;
  const known = grantOf.get(h.grantId);
  if (known === undefined) return { kind: 'refused', why: 'unknown', grant: null };
  const first = earlier(prepared, h.idem, h.nowMs);
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
  insert(prepared, heldRow(h), h);
  return { kind: 'held', grant };
}

function endHold(
  { endDebit, forgetKey }: Prepared,
  { debitId, to, atMs }: Parameters<HoldCalls['endHold']>[0],
): boolean {
  if (endDebit.run(to, atMs, debitId).changes === 0) return false;
  // the retry of a released call is a fresh call (P7.16)
  if (to === 'released') forgetKey.run(debitId, debitId);
  return true;
}

function insertNotCharged(
  prepared: Prepared,
  { receipt, ...given }: Parameters<HoldCalls['insertNotCharged']>[0],
): ReturnType<HoldCalls['insertNotCharged']> {
  const first = earlier(prepared, given.idem, given.nowMs);
  if (first === 'conflict') return 'idem_conflict';
  if (first !== null) return { replayOf: first };
  insert(prepared, notChargedRow(receipt), given);
  return 'stored';
}

function sweep(prepared: Prepared, nowMs: number): SweepReport {
  const { dueHolds, expireGrants, forgetChallenges, forgetKeys, forgetWebhooks, loseAnswers } = prepared;
  const holds = dueHolds.all(nowMs).map((row) => String(row['debit_id']));
  for (const debitId of holds) endHold(prepared, { debitId, to: 'released', atMs: nowMs });
  return {
    holdsReleased: holds.length,
    grantsExpired: Number(expireGrants.run(nowMs, nowMs).changes),
    challengesDeleted: Number(forgetChallenges.run(nowMs - dayMs).changes),
    idempotencyDeleted: Number(forgetKeys.run(nowMs).changes),
    webhooksDeleted: Number(forgetWebhooks.run(nowMs - webhookDays * dayMs).changes),
    answersLost: Number(loseAnswers.run(nowMs).changes),
  };
}
