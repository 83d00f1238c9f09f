import { offerReceipt, offerReceiptSchema } from '../../../data/contract/billing/requirement.ts';
import { receiptMember } from '../../../data/contract/tools/toolPayment.ts';
import type { AccessRequest, Admit } from '../../access/accessDecision.ts';
import type { Gate } from '../../access/gate.ts';
import type { ProofKey } from '../../keys/proofKey.ts';

/** Headers that say how a payment of x402 was settled, the second to clients of version 1. */
const settlementHeaders: ReadonlySet<string> = new Set(['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE']);

/**
 * A gate whose admissions carry a signed receipt where money of x402 moved (P2.57). What it says is in the ledger, so the
 * same payment again has the same receipt, and a transaction once there is one.
 */
export function signedReceipts(
  gate: Gate,
  { key, baseUrl }: { readonly key: Pick<ProofKey, 'jws'>; readonly baseUrl: string },
): Gate {
  return {
    ...gate,
    async decide(request) {
      const decision = await gate.decide(request);
      return decision.kind === 'admit' ? withReceipt(decision, { request, key, baseUrl }) : decision;
    },
  };
}

function withReceipt(
  admit: Admit,
  { request, key, baseUrl }: { request: AccessRequest; key: Pick<ProofKey, 'jws'>; baseUrl: string },
): Admit {
  const response = admit.meta[receiptMember.x402];
  const { receipt } = admit;
  if (!isSettlement(response) || receipt === null) return admit;
  const transaction = receipt.settlement?.settlementTxHash ?? null;
  const signature = key.jws({
    version: 1,
    network: response.network,
    resourceUrl: `${baseUrl}${request.plan.path}${request.plan.query}`,
    payer: response.payer,
    // of all instants of a receipt the one that never changes: a batched one is settled later
    issuedAt: Math.floor(receipt.createdMs / 1000),
    ...(transaction === null ? {} : { transaction }),
  });
  const extensions = {
    [offerReceipt]: {
      info: { receipt: { format: 'jws', signature } },
      schema: offerReceiptSchema('receipt'),
    },
  };
  const headers = admit.headers.map((text, i) =>
    settlementHeaders.has(admit.headers[i - 1] ?? '') ? extended(text, extensions) : text,
  );
  return { ...admit, headers, meta: { ...admit.meta, [receiptMember.x402]: { ...response, extensions } } };
}

type Settlement = { readonly network: string; readonly payer: string };

function isSettlement(value: unknown): value is Settlement {
  return typeof value === 'object' && value !== null && 'network' in value && 'payer' in value;
}

function extended(header: string, extensions: object): string {
  const response = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as object;
  return Buffer.from(JSON.stringify({ ...response, extensions })).toString('base64');
}
