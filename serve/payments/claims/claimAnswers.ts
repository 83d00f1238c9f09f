import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { receiptMember } from '../../../data/contract/tools/toolPayment.ts';
import { type AnswerReceipt, type Refuse, refuse, refuseWithChallenge } from '../../access/accessDecision.ts';
import { checksumAddress } from '../../evm/ethereumBytes.ts';
import type { ReceiptRow } from '../../ledger/port/ledger.ts';
import type { PaymentFacts } from '../settle/settlements.ts';

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

/**
 * Writes a claim. A write with an unknown outcome may be committed: nothing was sent, and a repeat of the same payment
 * finds out (P8.10).
 *
 * @throws IssuerError `settlement_pending` then
 */
export async function claimOrPending<T>(receiptId: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof IssuerError && error.code === 'store_unwritable') throw settlementPending(receiptId);
    throw error;
  }
}

/** What an answer says of the payment behind it: a flat list of headers, and members of `_meta` of a tool's result. */
type PaymentProof = {
  readonly headers: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
};

/** Says of a settled or queued payment how it was paid, rebuilt from its rows (P8.30). */
export type ProofOf = (payment: PaymentFacts, receipt: ReceiptRow) => PaymentProof;

/**
 * Makes the proofs of a deployment. The rail of the payment decides, not the one that was asked: an earlier answer of the
 * payer may have been paid on the other (P2.46).
 */
export function paymentProofs({
  mppMethod,
  v1Network,
}: {
  readonly mppMethod: string;
  readonly v1Network: string | null;
}): ProofOf {
  return (payment, receipt) =>
    payment.provider === 'mpp'
      ? mppProof(mppMethod, payment, receipt)
      : x402Proof(v1Network, payment, receipt);
}

/** `PAYMENT-RESPONSE`, and its version 1 name when asked for (I5.18, I5.54, I4.MCP.20). */
function x402Proof(v1Network: string | null, payment: PaymentFacts, receipt: ReceiptRow): PaymentProof {
  const response = {
    success: true,
    transaction: receipt.settlementTxHash ?? receipt.gatewayTransferId ?? '',
    network: payment.network,
    payer: checksumAddress(payment.payer),
    amount: String(payment.amountMicro),
  };
  const headers = ['PAYMENT-RESPONSE', base64(response)];
  if (v1Network !== null) headers.push('X-PAYMENT-RESPONSE', base64({ ...response, network: v1Network }));
  return { headers, meta: { [receiptMember.x402]: response } };
}

/** `Payment-Receipt`; inside a frame it names its challenge as well (P4.4, I4.MCP.20a). */
function mppProof(method: string, { nonce }: PaymentFacts, receipt: ReceiptRow): PaymentProof {
  const value = {
    method,
    reference: receipt.settlementTxHash ?? '',
    status: 'success',
    timestamp: new Date(receipt.settledMs ?? receipt.updatedMs).toISOString(),
  };
  // the nonce of this rail is the id of its challenge
  const challengeId = Buffer.from(nonce).toString('base64url');
  return {
    headers: ['Payment-Receipt', Buffer.from(JSON.stringify(value)).toString('base64url')],
    meta: { [receiptMember.mpp]: { ...value, challengeId } },
  };
}

/** A value as the headers of x402 carry it. */
export function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
