import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { type Refuse, refuse } from '../../access/accessDecision.ts';
import { checksumAddress } from '../../evm/ethereumBytes.ts';
import { base64 } from '../claims/claimAnswers.ts';
import { nextStep, type Purse, purseMembers } from '../settle/emptyPurse.ts';
import type { PaymentFacts } from '../settle/settlements.ts';

/** Refusals after which the provider is at fault, not the payment (P2.39, P2.40). */
const providerFaults = new Set(['provider_unreachable', 'provider_auth']);

/**
 * The refusal of a payment the provider refused, with the result header and a fresh challenge (I5.16). At once, a
 * provider's own fault is 503; when the recorded refusal is repeated it is the payment's end like any other (I5.25).
 */
export function settlementRefused(
  payment: PaymentFacts,
  reason: string,
  when: 'now' | 'recorded' = 'now',
): Refuse {
  if (when === 'now' && providerFaults.has(reason)) return refuse(railUnavailable(railOf(payment)));
  const error = new IssuerError({
    code: 'payment_settlement_failed',
    message: 'The payment was not settled; nothing was charged.',
    hint: nextStep(reason, {
      purse: purseOf(payment),
      otherwise: 'Sign a new payment of accepts of this answer.',
    }),
    details: { error_reason: reason, ...purseMembers(reason, purseOf(payment)) },
  });
  const response = base64({
    success: false,
    errorReason: reason,
    transaction: '',
    network: payment.network,
    payer: checksumAddress(payment.payer),
  });
  return refuse(error, { headers: ['PAYMENT-RESPONSE', response] });
}

/** 409: the client's identifier names another payment (I5.29). */
export function identifierConflict(): IssuerError {
  return new IssuerError({
    code: 'payment_identifier_conflict',
    message: 'This payment-identifier was used with another payment.',
    hint: 'Repeat the first payment, or choose a new identifier.',
    details: { receipt_id: null },
  });
}

/** 402: the signature, or what the provider thinks of the payment (I5.14 checks 7 and 8). */
export function verificationFailed(
  reason: string,
  { hint = 'Sign accepts of this answer again.', purse }: { hint?: string; purse?: Purse } = {},
): IssuerError {
  return new IssuerError({
    code: 'payment_verification_failed',
    message: 'The payment could not be verified.',
    hint: purse === undefined ? hint : nextStep(reason, { purse, otherwise: hint }),
    details: { error_reason: reason, ...(purse === undefined ? {} : purseMembers(reason, purse)) },
  });
}

/** 503: nothing of this payment was taken (I7.5). */
export function railUnavailable(
  rail: string,
  message = 'Payments are not settled at the moment.',
): IssuerError {
  return new IssuerError({
    code: 'settlement_unavailable',
    message: `${message} Nothing was charged.`,
    hint: 'Send the same request again later; API keys keep working.',
    details: { rail },
  });
}

/** The rail a payment of x402 belongs to. */
export function railOf({ provider }: Pick<PaymentFacts, 'provider'>): string {
  return provider === 'gateway_batched' ? 'gateway_batched' : 'x402';
}

/** Whose purse a payment is made from, and how much it takes. */
export function purseOf({
  provider,
  payer,
  amountMicro,
}: Pick<PaymentFacts, 'provider' | 'payer' | 'amountMicro'>): Purse {
  return {
    kind: provider === 'gateway_batched' ? 'deposit' : 'wallet',
    payer: checksumAddress(payer),
    amountMicro,
  };
}
