import { hash } from 'node:crypto';
import type { HoldInput } from '../port/grant.ts';
import { type ClaimInput, type PaymentRow, paymentTable, type Transition } from '../port/payment.ts';
import { type ReceiptInput, type ReceiptRow, receiptTable } from '../port/receipt.ts';
import { rowValues, type Stored } from './columns.ts';

/** Window in which a settled payment is served again (I5.26). */
export const replayWindowMs = 604_800_000;

/** Reconciliation key of an answer without payment or grant: `rec_` + 32 hex over `req:` + response id (I5.49). */
export function reconciliationKeyOfResponse(responseId: string): string {
  return `rec_${hash('sha256', `req:${responseId}`, 'hex').slice(0, 32)}`;
}

/** Reconciliation key of a grant-paid answer: over `grant:` + debit id (I5.49). */
export function reconciliationKeyOfDebit(debitId: string): string {
  return `rec_${hash('sha256', `grant:${debitId}`, 'hex').slice(0, 32)}`;
}

/** Reconciliation key of a payment: over its `payment_authorization_hash`, 64 hex (I5.49). */
export function reconciliationKeyOfAuthorization(authorizationHash: string): string {
  return `rec_${hash('sha256', authorizationHash, 'hex').slice(0, 32)}`;
}

type FreshInput = ReceiptInput | HoldInput['receipt'] | ClaimInput['receipt'];

/** What the rows of new receipts differ in beside their inputs. */
type Beginning = Pick<ReceiptRow, 'chargeStatus' | 'reason'> &
  Partial<Pick<ReceiptRow, 'claimKey' | 'grantId' | 'apiKeyId' | 'handoffMs'>>;

/** The row of a new receipt; most columns stay empty until something happens to it. One object, not copies of one: it is made on every request. */
function freshRow(receipt: FreshInput, beginning: Beginning): ReceiptRow {
  return {
    receiptId: receipt.receiptId,
    reconciliationKey: receipt.reconciliationKey,
    responseId: receipt.responseId,
    requestId: receipt.requestId,
    routeId: receipt.routeId,
    routeUri: receipt.routeUri,
    fingerprint: receipt.fingerprint,
    settlementMode: receipt.settlementMode,
    chargeStatus: beginning.chargeStatus,
    quotedMicro: receipt.quotedMicro,
    chargedMicro: 0,
    payerIdentity: receipt.payerIdentity,
    claimKey: beginning.claimKey ?? null,
    grantId: beginning.grantId ?? null,
    apiKeyId: beginning.apiKeyId ?? null,
    tool: receipt.tool ?? null,
    artifactKey: receipt.artifactKey,
    artifactVersion: receipt.artifactVersion,
    sourceDate: receipt.sourceDate,
    settlementTxHash: null,
    gatewayTransferId: null,
    batchId: null,
    refundReference: null,
    refundedMicro: 0,
    failureReason: null,
    settledMs: null,
    handoffMs: beginning.handoffMs ?? null,
    delivery: 'pending',
    replayUntilMs: null,
    replayCount: 0,
    qualityFlags: receipt.qualityFlags,
    actor: receipt.actor,
    reason: beginning.reason,
    externalRef: null,
    createdMs: receipt.createdMs,
    updatedMs: receipt.createdMs,
  };
}

/** The row of an uncharged receipt: what its answer shows is what is stored (T1, I3.11). */
export function notChargedRow(receipt: ReceiptInput): ReceiptRow {
  const isKeyed = receipt.settlementMode === 'api_key_not_charged';
  return freshRow(receipt, {
    apiKeyId: isKeyed ? receipt.apiKeyId : null,
    chargeStatus: 'not_charged',
    reason: isKeyed ? 'api_key' : 'shadow',
  });
}

/** The stored row of a grant-paid receipt, as it is right after its hold. */
export function heldRow({ receipt, grantId }: HoldInput): ReceiptRow {
  return freshRow(receipt, { grantId, chargeStatus: 'not_charged', reason: 'grant' });
}

/** The row of a claim's receipt as it is inserted (T2). */
export function authorizedRow({ receipt, claimKey }: ClaimInput): ReceiptRow {
  return freshRow(receipt, { claimKey, chargeStatus: 'authorized', reason: 'claim' });
}

/** The stored row of a claim that was won, as it is right after its transaction (P8.22). */
export function claimedRow({ receipt, claimKey, next }: ClaimInput): ReceiptRow {
  return next === 'handoff'
    ? freshRow(receipt, {
        claimKey,
        chargeStatus: 'authorized',
        reason: 'claim',
        handoffMs: receipt.createdMs,
      })
    : freshRow(receipt, { claimKey, chargeStatus: 'submitted', reason: 'settlement_call' });
}

export const receiptValues = rowValues(receiptTable);

/** Where the delivery state lies among the values of a receipt. */
export const deliveryPlace = Object.keys(receiptTable).indexOf('delivery');

/** An uncharged receipt as one row, bound in the order of its insert. */
export type UnchargedReceipt = {
  readonly kind: 'receipt';
  readonly receiptId: string;
  readonly values: Stored[];
};

/** An uncharged receipt on its way to the writer (P6.6); its fingerprint is bytes of its own (I5.24). */
export function unchargedReceipt(row: ReceiptRow): UnchargedReceipt {
  return { kind: 'receipt', receiptId: row.receiptId, values: receiptValues(row) };
}

export const paymentValues = rowValues(paymentTable);

/** The row of a payment as it is inserted with its claim. */
export function freshPaymentRow(claim: ClaimInput): PaymentRow {
  const { receiptId, createdMs } = claim.receipt;
  return {
    ...claim,
    phase: 'calling',
    receiptId,
    refusal: null,
    // the worker checks it when the handler's time is over
    nextCheckMs: claim.ownerUntilMs,
    checks: 0,
    finality: 'none',
    blockNumber: null,
    createdMs,
    updatedMs: createdMs,
  };
}

/** The phase a payment reaches with its receipt (P8.28); null when the step concerns the receipt alone. */
export function phaseAfter(t: Transition): 'calling' | 'accepted' | 'refused' | null {
  // an operator's step leaves what the provider once answered
  if (t.actor.startsWith('operator:')) return null;
  switch (t.to) {
    case 'submitted':
      return 'calling';
    case 'settled':
    case 'queued_for_batch':
      return 'accepted';
    case 'failed':
      return 'refused';
    default:
      return null;
  }
}
