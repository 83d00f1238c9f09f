import type { HoldInput } from '../port/grant.ts';
import { paymentTable, type SettlementJobInput, type Transition } from '../port/payment.ts';
import { type IdemInput, receiptTable } from '../port/receipt.ts';
import { rowJson } from '../rows/columns.ts';
import { phaseAfter, replayWindowMs } from '../rows/receipt.ts';

// rows of the port as JSON texts with the names of the columns, which the ledger's functions read

/** Bytes in the notation a bytea column reads. */
function hexBytes(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** A row of `receipts`; `delivery` may already be known when it is inserted. */
export const receiptJson = rowJson(receiptTable);

/** A row of `payments` at its claim. */
export const paymentJson = rowJson(paymentTable);

export function jobColumns(job: SettlementJobInput): Record<string, unknown> {
  const { kind, payload, notBeforeMs, deadlineMs } = job;
  return { kind, payload: hexBytes(payload), not_before_ms: notBeforeMs, deadline_ms: deadlineMs };
}

/** A transition with the phase its payment reaches (P8.28), as `ledger_transition` reads it. */
export function transitionInput(t: Transition): string {
  const { set } = t;
  return JSON.stringify({
    id: t.receiptId,
    from: t.from,
    to: t.to,
    actor: t.actor,
    reason: t.reason,
    ref: t.externalRef ?? null,
    at: t.atMs,
    window: replayWindowMs,
    tx: set.settlementTxHash ?? null,
    transfer: set.gatewayTransferId ?? null,
    batch: set.batchId ?? null,
    failure: set.failureReason ?? null,
    refund: set.refundReference ?? null,
    refunded: set.refundedMicro ?? null,
    flag: set.addFlag ?? null,
    phase: phaseAfter(t),
    next: set.nextCheckMs ?? null,
    finality: set.finality ?? null,
    block: set.blockNumber ?? null,
  });
}

export function idemColumns(idem: IdemInput): Record<string, unknown> {
  const { holder, key, fingerprint, expiresMs } = idem;
  return { holder, key, fingerprint: hexBytes(fingerprint), expires_ms: expiresMs };
}

export function holdColumns(h: HoldInput): Record<string, unknown> {
  return {
    debit_id: h.debitId,
    grant_id: h.grantId,
    session_id: h.sessionId,
    amount_micro: h.amountMicro,
    hold_ms: h.holdMs,
  };
}
