import type { ClaimInput } from '../port/payment.ts';
import { only, type RowOf } from './columns.ts';
import { paymentTable, receiptTable } from './tables.ts';

/** The columns a receipt is inserted with; the others are empty until something happens to it. */
export const freshReceipt = only(receiptTable, [
  'receiptId',
  'reconciliationKey',
  'responseId',
  'requestId',
  'routeId',
  'routeUri',
  'fingerprint',
  'settlementMode',
  'chargeStatus',
  'quotedMicro',
  'chargedMicro',
  'payerIdentity',
  'claimKey',
  'grantId',
  'apiKeyId',
  'tool',
  'artifactKey',
  'artifactVersion',
  'sourceDate',
  'refundedMicro',
  'delivery',
  'replayCount',
  'qualityFlags',
  'actor',
  'reason',
  'createdMs',
  'updatedMs',
]);

/** The columns a payment is inserted with. */
export const freshPayment = only(paymentTable, [
  'claimKey',
  'provider',
  'network',
  'domainContract',
  'payer',
  'nonce',
  'clientRef',
  'payTo',
  'amountMicro',
  'validAfter',
  'validBefore',
  'payloadHash',
  'fingerprint',
  'phase',
  'receiptId',
  'txHash',
  'owner',
  'ownerUntilMs',
  'nextCheckMs',
  'checks',
  'finality',
  'createdMs',
  'updatedMs',
]);

/** The row of a payment as it is inserted with its claim. */
export function freshPaymentRow(claim: ClaimInput): RowOf<typeof freshPayment> {
  const { receiptId, createdMs } = claim.receipt;
  return {
    claimKey: claim.claimKey,
    provider: claim.provider,
    network: claim.network,
    domainContract: claim.domainContract,
    payer: claim.payer,
    nonce: claim.nonce,
    clientRef: claim.clientRef,
    payTo: claim.payTo,
    amountMicro: claim.amountMicro,
    validAfter: claim.validAfter,
    validBefore: claim.validBefore,
    payloadHash: claim.payloadHash,
    fingerprint: claim.fingerprint,
    phase: 'calling',
    receiptId,
    txHash: claim.txHash,
    owner: claim.owner,
    ownerUntilMs: claim.ownerUntilMs,
    // the worker checks it when the handler's time is over
    nextCheckMs: claim.ownerUntilMs,
    checks: 0,
    finality: 'none',
    createdMs,
    updatedMs: createdMs,
  };
}
