import { hash } from 'node:crypto';
import type { HoldInput } from '../port/grant.ts';
import type { ClaimInput } from '../port/payment.ts';
import type { ReceiptInput, ReceiptRow, ReceiptView } from '../port/receipt.ts';

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

/** The receipt an uncharged answer shows; it equals the row the writer inserts (T1, I3.11). */
export function notChargedView(receipt: ReceiptInput): ReceiptView {
  return {
    receiptId: receipt.receiptId,
    reconciliationKey: receipt.reconciliationKey,
    responseId: receipt.responseId,
    requestId: receipt.requestId,
    routeUri: receipt.routeUri,
    settlementMode: receipt.settlementMode,
    chargeStatus: 'not_charged',
    quotedMicro: receipt.quotedMicro,
    chargedMicro: 0,
    payerIdentity: receipt.payerIdentity,
    artifactKey: receipt.artifactKey,
    artifactVersion: receipt.artifactVersion,
    qualityFlags: receipt.qualityFlags,
    createdMs: receipt.createdMs,
    updatedMs: receipt.createdMs,
  };
}

type FreshInput = ReceiptInput | HoldInput['receipt'] | ClaimInput['receipt'];

/** The columns that stay empty until something happens to a receipt. */
function freshRow(receipt: FreshInput) {
  return {
    receiptId: receipt.receiptId,
    reconciliationKey: receipt.reconciliationKey,
    responseId: receipt.responseId,
    requestId: receipt.requestId,
    routeId: receipt.routeId,
    routeUri: receipt.routeUri,
    fingerprint: receipt.fingerprint,
    settlementMode: receipt.settlementMode,
    quotedMicro: receipt.quotedMicro,
    chargedMicro: 0,
    payerIdentity: receipt.payerIdentity,
    claimKey: null,
    grantId: null,
    apiKeyId: null,
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
    handoffMs: null,
    delivery: 'pending',
    replayUntilMs: null,
    replayCount: 0,
    qualityFlags: receipt.qualityFlags,
    actor: receipt.actor,
    externalRef: null,
    createdMs: receipt.createdMs,
    updatedMs: receipt.createdMs,
  } as const;
}

/** Reason of the journal row an uncharged receipt starts with (T1). */
export function notChargedReason(receipt: ReceiptInput): 'api_key' | 'shadow' {
  return receipt.settlementMode === 'api_key_not_charged' ? 'api_key' : 'shadow';
}

/** The stored row of an uncharged receipt, as it is right after its insert. */
export function notChargedRow(receipt: ReceiptInput): ReceiptRow {
  return {
    ...freshRow(receipt),
    apiKeyId: receipt.settlementMode === 'api_key_not_charged' ? receipt.apiKeyId : null,
    chargeStatus: 'not_charged',
    reason: notChargedReason(receipt),
  };
}

/** The stored row of a grant-paid receipt, as it is right after its hold. */
export function heldRow(hold: HoldInput): ReceiptRow {
  return {
    ...freshRow(hold.receipt),
    grantId: hold.grantId,
    chargeStatus: 'not_charged',
    reason: 'grant',
  };
}

/** The row of a claim's receipt as it is inserted (T2). */
export function authorizedRow(claim: ClaimInput): ReceiptRow {
  return {
    ...freshRow(claim.receipt),
    claimKey: claim.claimKey,
    chargeStatus: 'authorized',
    reason: 'claim',
  };
}

/** The stored row of a claim that was won, as it is right after its transaction (P8.22). */
export function claimedRow(claim: ClaimInput): ReceiptRow {
  const { receipt } = claim;
  const handedOver = claim.next === 'handoff';
  return {
    ...freshRow(receipt),
    claimKey: claim.claimKey,
    chargeStatus: handedOver ? 'authorized' : 'submitted',
    reason: handedOver ? 'claim' : 'settlement_call',
    handoffMs: handedOver ? receipt.createdMs : null,
  };
}
