import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { type AnswerReceipt, type Refuse, refuse, refuseWithChallenge } from '../../access/accessDecision.ts';
import type { ReceiptRow } from '../../ledger/port/ledger.ts';
import type { PaymentFacts } from '../settle/openClaim.ts';

/** The receipt as an answer shows it (I5.48); flags in the order of the contract. */
export function answerReceipt({
  payment,
  receipt,
  replayed,
}: {
  payment: PaymentFacts;
  receipt: ReceiptRow;
  replayed: boolean;
}): AnswerReceipt {
  const flags = new Set(receipt.qualityFlags);
  if (receipt.chargeStatus === 'queued_for_batch') flags.add('settlement_not_confirmed');
  else flags.delete('settlement_not_confirmed');
  if (replayed) flags.add('replayed');
  return {
    ...receipt,
    qualityFlags: flagOrder.filter((flag) => flags.has(flag)),
    settlement: {
      provider: payment.provider,
      network: payment.network,
      authorizationHash: Buffer.from(payment.claimKey).toString('hex'),
      gatewayTransferId: receipt.gatewayTransferId,
      batchId: receipt.batchId,
      settlementTxHash: receipt.settlementTxHash,
      grant: null,
    },
  };
}

const flagOrder = [
  'gateway_not_used',
  'settlement_not_confirmed',
  'replayed',
  'recovered',
  'shadow_mode',
] as const;

/** 503: the outcome is open; the same payment is to be repeated, never a new one signed (I5.28, P2.47). */
export function settlementPending(receiptId: string): IssuerError {
  return new IssuerError({
    code: 'settlement_pending',
    message: 'The outcome of this payment is not known yet.',
    hint: 'Repeat the identical request with the identical payment header; do not sign again.',
    details: { receipt_id: receiptId },
  });
}

/** 409: another request holds this authorization right now (P8.34). */
export function paymentInProgress(receiptId: string): IssuerError {
  return new IssuerError({
    code: 'payment_in_progress',
    message: 'Another request is settling this payment.',
    hint: 'Repeat the identical request in a second.',
    details: { receipt_id: receiptId },
  });
}

/** 409, or 402 with a challenge after a failure (I5.25). */
export function nonceReused(receiptId: string, afterFailure: boolean): Refuse {
  const error = new IssuerError({
    code: 'payment_nonce_reused',
    message: 'This authorization was used for another request, or with another signature.',
    hint: 'Sign a new payment for this request.',
    details: { receipt_id: receiptId },
  });
  return afterFailure ? refuseWithChallenge(error) : refuse(error);
}
