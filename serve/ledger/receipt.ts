import { hash } from 'node:crypto';
import type { ReceiptInput, ReceiptView } from './ledger.ts';

/** Reconciliation key of an answer without payment or grant: `rec_` + 32 hex over `req:` + response id (I5.49). */
export function reconciliationKeyOfResponse(responseId: string): string {
  return `rec_${hash('sha256', `req:${responseId}`, 'hex').slice(0, 32)}`;
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
