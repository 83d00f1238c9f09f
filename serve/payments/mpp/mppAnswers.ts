import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { type Refuse, refuse } from '../../access/accessDecision.ts';
import { nextStep, type Purse, purseMembers } from '../settle/emptyPurse.ts';

/** 402: the credential cannot be read (P4.6); `reason` says where it stops. */
export function malformedCredential(reason: string): IssuerError {
  return new IssuerError({
    code: 'malformed_credential',
    message: 'The payment credential cannot be read.',
    hint: 'Sign the challenge of this answer.',
    details: { reason },
  });
}

/** 402: the challenge is not ours, not for this request, or used by another payment (P4.9, P8.22a). */
export function invalidChallenge(reason: string): IssuerError {
  return new IssuerError({
    code: 'invalid_challenge',
    message: 'The credential answers a challenge that is not good for this request.',
    hint: 'Sign the challenge of this answer.',
    details: { reason },
  });
}

/** 402: the challenge, or what was signed for it, has run out. */
export function challengeExpired(): IssuerError {
  return new IssuerError({
    code: 'payment_expired',
    message: 'The challenge has expired.',
    hint: 'Sign the challenge of this answer.',
  });
}

/** 402: less was signed than this costs now. */
export function paymentInsufficient(): IssuerError {
  return new IssuerError({
    code: 'payment_insufficient',
    message: 'The amount of the challenge is below the price.',
    hint: 'Sign the challenge of this answer.',
  });
}

/** 402: what was signed does not pay this challenge (I5.21). */
export function mppVerificationFailed(reason: string, paid: Paid = unknownPayer): IssuerError {
  const purse: Purse = { kind: 'wallet', ...paid };
  return new IssuerError({
    code: 'payment_verification_failed',
    message: 'The payment could not be verified; nothing was charged.',
    hint: nextStep(reason, {
      purse,
      otherwise: 'Sign the challenge of this answer, as a transaction the server broadcasts.',
    }),
    details: { error_reason: reason, ...purseMembers(reason, purse) },
  });
}

/** Who was to pay how much. */
type Paid = Pick<Purse, 'payer' | 'amountMicro'>;

const unknownPayer: Paid = { payer: null, amountMicro: 0 };

/** 400: a method this deployment does not offer (I5.22). */
export function methodUnsupported(offered: string): IssuerError {
  return new IssuerError({
    code: 'method_unsupported',
    message: 'The payment method is not offered.',
    hint: `Use ${offered}.`,
    details: { offered: [offered] },
  });
}

/** What a payment gets that the chain or the library refused, now or earlier (X20, I5.25). */
export function mppRefused(reason: string, paid: Paid): Refuse {
  return refuse(mppVerificationFailed(reason, paid));
}
