import { receiptMember } from '../../../data/contract/tools/toolPayment.ts';
import { checksumAddress } from '../../evm/checksumAddress.ts';
import type { ReceiptRow } from '../../ledger/port/ledger.ts';
import type { PaymentFacts } from '../settle/openClaim.ts';

/** What an answer says of the payment behind it: a flat list of headers, and members of `_meta` of a tool's result. */
export type PaymentProof = {
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

function base64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
