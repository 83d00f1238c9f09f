import type { Requirement } from '../../../data/contract/billing/requirement.ts';
import type { SettlementJobInput } from '../../ledger/port/payment.ts';
import type { SettleOutcome } from '../settle/settleOutcome.ts';
import type { PaymentPayload } from './paymentPayload.ts';

/** What a verify call found; it settles nothing (P2.42). */
export type VerifyOutcome =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly reason: string }
  /** `reached`: the question was sent, so that what is asked may be why there is no answer. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly reached: boolean };

/** A payment as it is handed to a provider: the payload is rebuilt from what was checked, never the client's text. */
export type ProviderPayment = {
  readonly paymentPayload: unknown;
  /** ours (S6) */
  readonly paymentRequirements: Requirement;
};

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
  /** Check 8 for contract wallets, under any policy for accounts; absent where they are refused (P2.31). */
  readonly verifyAlways?: (payment: CheckedPayment) => Promise<VerifyOutcome>;
  /** The job written with the claim when a process of ours settles (P2.48). */
  job(payment: CheckedPayment): SettlementJobInput | null;
  /** `recorded`: another process wrote the outcome into the ledger, read it there. */
  settle(deps: {
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
