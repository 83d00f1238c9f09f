import {
  exactMinValiditySeconds,
  gatewayDomain,
  gatewayMinValiditySeconds,
  type Requirement,
  type X402Provider,
} from '../../../data/contract/billing/requirement.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { PaymentPayload } from './paymentPayload.ts';

/** The offered entry a payment takes, and whether only its amount is another one (P2.13). */
export type MatchedOffer = {
  readonly provider: X402Provider;
  readonly requirement: Requirement;
  readonly amountDiffers: boolean;
};

/**
 * Finds the offered requirement a payment accepted. Dispatch is by `extra.name`, never by scheme and network, which
 * both entries share (P2.12). Version 1 knows the exact entry only (P2.50).
 *
 * @throws IssuerError `payment_mismatch`
 */
export function matchOffer(
  { accepted, authorization }: PaymentPayload,
  offered: readonly Requirement[],
  v1Network: string | null,
): MatchedOffer {
  if (accepted.version === 1) {
    const exact = offered.find((entry) => entry.extra['name'] !== gatewayDomain.name);
    if (exact === undefined) throw mismatch('extra_name');
    if (accepted.scheme !== 'exact') throw mismatch('scheme');
    if (accepted.network !== v1Network) throw mismatch('network');
    // version 1 repeats no amount: what was accepted is what was signed
    const amountDiffers = authorization.value !== BigInt(exact.amount);
    return { provider: 'x402_exact', requirement: exact, amountDiffers };
  }
  const requirement = offered.find((entry) => entry.extra['name'] === accepted.extraName);
  if (requirement === undefined) throw mismatch('extra_name');
  const contract = requirement.extra['verifyingContract'];
  const expected = typeof contract === 'string' ? contract.toLowerCase() : null;
  if (accepted.scheme !== requirement.scheme) throw mismatch('scheme');
  if (accepted.network !== requirement.network) throw mismatch('network');
  if (accepted.asset !== requirement.asset.toLowerCase()) throw mismatch('asset');
  if (accepted.payTo !== requirement.payTo.toLowerCase()) throw mismatch('pay_to');
  if (accepted.extraVersion !== requirement.extra['version']) throw mismatch('extra_version');
  // more members under `extra` are not compared, so exact compares no contract (P2.13)
  if (expected !== null && accepted.verifyingContract !== expected) throw mismatch('verifying_contract');
  return {
    provider: expected === null ? 'x402_exact' : 'gateway_batched',
    requirement,
    amountDiffers: accepted.amount !== requirement.amount,
  };
}

/**
 * Checks that the signed transfer pays what was accepted, to our address, and not from it (I5.14 check 4, P2.20).
 *
 * @throws IssuerError `payment_mismatch`
 */
export function checkTransfer(payload: PaymentPayload, requirement: Requirement): void {
  const { accepted, authorization } = payload;
  const payTo = requirement.payTo.toLowerCase();
  if (authorization.to !== payTo) throw mismatch('authorization_to');
  if (accepted.version === 2 && authorization.value !== BigInt(accepted.amount))
    throw mismatch('authorization_value');
  if (authorization.from === payTo) throw mismatch('self_transfer');
}

/** Why an authorization cannot be used now (I5.14 check 5, P2.19); null when it can. */
export function windowFault(
  { authorization }: PaymentPayload,
  { provider, nowMs }: { readonly provider: X402Provider; readonly nowMs: number },
): IssuerError | null {
  const now = BigInt(Math.floor(nowMs / 1000));
  const least = provider === 'x402_exact' ? exactMinValiditySeconds : gatewayMinValiditySeconds;
  if (authorization.validAfter > now) {
    return new IssuerError({
      code: 'payment_not_yet_valid',
      message: 'The authorization is not valid yet.',
      hint: 'Set validAfter to 0 or to a time that has passed, and check the clock of this client.',
    });
  }
  if (authorization.validBefore < now + BigInt(least)) {
    return new IssuerError({
      code: 'payment_expired',
      message: `The authorization is not valid for ${least} seconds more.`,
      hint: 'Sign the challenge of this answer, and check the clock of this client.',
    });
  }
  return null;
}

/** The refusal of a payment that does not fit this request (I5.14 checks 2 to 4). */
export function mismatch(reason: string): IssuerError {
  return new IssuerError({
    code: 'payment_mismatch',
    message: 'The payment does not fit this request.',
    hint: 'Sign one of accepts of this answer and send it with this same request.',
    details: { reason },
  });
}
