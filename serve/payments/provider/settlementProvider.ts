import type { SettlementJobInput } from '../../ledger/port/payment.ts';
import type { PaymentPayload } from '../x402/paymentPayload.ts';
import type { Requirement } from '../x402/requirement.ts';
import type { ProviderPayment, VerifyOutcome } from './facilitatorClient.ts';
import type { SettleOutcome } from './settleOutcome.ts';

/** A payment whose local checks passed. */
export type CheckedPayment = {
  readonly payload: PaymentPayload;
  /** ours, as offered */
  readonly requirement: Requirement;
  readonly resourceUrl: string;
};

/** Who moves the money of one x402 provider: a facilitator, the gateway, or our own settler. */
export type SettlementProvider = {
  /** False while its breaker is open (P2.44). */
  allows(): boolean;
  /** Check 8; null where the settle call is the check (P3.5). */
  readonly verify: ((payment: CheckedPayment) => Promise<VerifyOutcome>) | null;
  /** Check 8 for contract wallets, whatever the policy for accounts is; absent where they are refused (P2.31). */
  readonly verifyAlways?: (payment: CheckedPayment) => Promise<VerifyOutcome>;
  /** The job written with the claim when a process of ours settles (P2.48). */
  job(payment: CheckedPayment): SettlementJobInput | null;
  /** `recorded`: another process wrote the outcome into the ledger, read it there. */
  settle(o: {
    payment: CheckedPayment;
    claimKey: Uint8Array;
    receiptId: string;
    noteTransaction(transaction: string): Promise<void>;
  }): Promise<SettleOutcome | { readonly kind: 'recorded' }>;
};

/** The payment as a provider gets it: rebuilt from checked members; nothing the client added reaches it (S6). */
export function providerPayment({ payload, requirement, resourceUrl }: CheckedPayment): ProviderPayment {
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  return {
    paymentPayload: {
      x402Version: 2,
      accepted: requirement,
      payload: {
        signature: payload.signature,
        authorization: {
          from,
          to,
          value: value.toString(),
          validAfter: validAfter.toString(),
          validBefore: validBefore.toString(),
          nonce,
        },
      },
      resource: { url: resourceUrl },
    },
    paymentRequirements: requirement,
  };
}
