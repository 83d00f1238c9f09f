import type { DatabaseSync } from 'node:sqlite';
import type { ClaimInput, ClaimResult, Transition } from '../../port/payment.ts';
import { claimOf } from '../../reads/receiptReads.ts';
import {
  authorizedRow,
  freshPaymentRow,
  paymentValues,
  phaseAfter,
  receiptValues,
  replayWindowMs,
} from '../../rows/receipt.ts';
import { stepRunner } from '../runSteps.ts';
import { type HoldCalls, holdCalls } from './holdCalls.ts';
import { insertPaymentSql, insertReceiptSql, prepareNamed } from './inserts.ts';

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

/** What the writer can do with claims; each function runs inside a transaction. */
type PaymentCalls = {
  claim(claim: ClaimInput): 'won' | Exclude<ClaimResult, { won: true }>;
  transition(transition: Transition): boolean;
  renew(o: { claimKeys: readonly Uint8Array[]; owner: string; ownerUntilMs: number }): void;
};

/** Prepares the statements of claims and transitions (PAYMENTS 8.D, 8.E, 8.G). */
function paymentCalls(database: DatabaseSync): PaymentCalls {
  const insertPayment = database.prepare(insertPaymentSql);
  const insertReceipt = database.prepare(insertReceiptSql);
  const submit = database.prepare(`
    UPDATE receipts SET charge_status = 'submitted', actor = 'handler', reason = 'settlement_call',
      external_ref = NULL, updated_ms = ?
    WHERE receipt_id = ? AND charge_status = 'authorized'`);
  const markHandoff = database.prepare('UPDATE receipts SET handoff_ms = ? WHERE receipt_id = ?');
  const insertJob = database.prepare(`
    INSERT INTO settlement_jobs (claim_key, kind, payload, not_before_ms, deadline_ms, created_ms, updated_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const read = stepRunner(database);
  const byClientRef = database.prepare('SELECT 1 FROM payments WHERE payer = ? AND client_ref = ?');
  const byTxHash = database.prepare("SELECT 1 FROM payments WHERE tx_hash = ? AND provider = 'mpp'");
  const moveReceipt = prepareNamed(
    `
    UPDATE receipts SET charge_status = :to,
      charged_micro = CASE WHEN :to IN ('queued_for_batch','settled','refunded','disputed') THEN quoted_micro ELSE 0 END,
      settlement_tx_hash = coalesce(:tx, settlement_tx_hash),
      gateway_transfer_id = coalesce(:transfer, gateway_transfer_id),
      batch_id = coalesce(:batch, batch_id),
      failure_reason = coalesce(:failure, failure_reason),
      refund_reference = coalesce(:refund, refund_reference),
      refunded_micro = coalesce(:refunded, refunded_micro),
      settled_ms = CASE WHEN :to = 'settled' THEN coalesce(settled_ms, :at) ELSE settled_ms END,
      replay_until_ms = CASE WHEN :to IN ('settled','queued_for_batch') THEN coalesce(replay_until_ms, :at + :window)
        ELSE replay_until_ms END,
      delivery_status = CASE WHEN :actor = 'recovery' AND :to IN ('settled','queued_for_batch')
        AND delivery_status = 'pending' THEN 'undelivered' ELSE delivery_status END,
      quality_flags = CASE WHEN :flag IS NULL OR EXISTS (SELECT 1 FROM json_each(quality_flags) WHERE value = :flag)
        THEN quality_flags ELSE json_insert(quality_flags, '$[#]', :flag) END,
      actor = :actor, reason = :reason, external_ref = :ref, updated_ms = :at
    WHERE receipt_id = :id AND charge_status = :from`,
    database,
  );
  const movePayment = prepareNamed(
    `
    UPDATE payments SET phase = :phase, tx_hash = coalesce(:tx, tx_hash), refusal = coalesce(:failure, refusal),
      next_check_ms = :next, finality = coalesce(:finality, finality), block_number = coalesce(:block, block_number),
      updated_ms = :at
    WHERE receipt_id = :id`,
    database,
  );
  const setOwnerUntil = database.prepare(
    'UPDATE payments SET owner_until_ms = max(owner_until_ms, ?) WHERE claim_key = ? AND owner = ?',
  );

  function insertClaim(claim: ClaimInput): boolean {
    const { changes } = insertPayment.run(...paymentValues(freshPaymentRow(claim)));
    if (changes === 0) return false;
    insertReceipt.run(...receiptValues(authorizedRow(claim)));
    return true;
  }

  function lost(c: ClaimInput): Exclude<ClaimResult, { won: true }> {
    const found = read(claimOf(c.claimKey), c.receipt.createdMs);
    if (found !== null) return { won: false, conflict: null, ...found };
    if (c.clientRef !== null && byClientRef.get(c.payer, c.clientRef) !== undefined)
      return { won: false, conflict: 'client_ref' };
    if (c.txHash !== null && byTxHash.get(c.txHash) !== undefined) return { won: false, conflict: 'tx_hash' };
    throw new Error(`the receipt id ${c.receipt.receiptId} belongs to another claim`);
  }

  function advance(c: ClaimInput): void {
    const { receiptId, createdMs } = c.receipt;
    if (c.next === 'submitted') submit.run(createdMs, receiptId);
    else markHandoff.run(createdMs, receiptId);
    if (c.job === null) return;
    const { kind, payload, notBeforeMs, deadlineMs } = c.job;
    insertJob.run(c.claimKey, kind, payload, notBeforeMs, deadlineMs, createdMs, createdMs);
  }

  return {
    claim: (c) => {
      if (!insertClaim(c)) return lost(c);
      advance(c);
      return 'won';
    },
    transition: (t) => {
      const { set } = t;
      const moved = moveReceipt({
        to: t.to,
        tx: set.settlementTxHash ?? null,
        transfer: set.gatewayTransferId ?? null,
        batch: set.batchId ?? null,
        failure: set.failureReason ?? null,
        refund: set.refundReference ?? null,
        refunded: set.refundedMicro ?? null,
        flag: set.addFlag ?? null,
        at: t.atMs,
        window: replayWindowMs,
        actor: t.actor,
        reason: t.reason,
        ref: t.externalRef ?? null,
        id: t.receiptId,
        from: t.from,
      });
      if (moved.changes === 0) return false;
      const phase = phaseAfter(t);
      if (phase !== null) {
        movePayment({
          phase,
          tx: set.settlementTxHash ?? null,
          failure: set.failureReason ?? null,
          next: set.nextCheckMs ?? null,
          finality: set.finality ?? null,
          block: set.blockNumber ?? null,
          at: t.atMs,
          id: t.receiptId,
        });
      }
      return true;
    },
    renew: ({ claimKeys, ownerUntilMs, owner }) => {
      for (const key of claimKeys) setOwnerUntil.run(ownerUntilMs, key, owner);
    },
  };
}
