import type { ProblemCode } from './errorCodes.ts';

/** Names of the payment problems of the MPP family (I5.22); a spent challenge is an invalid one there. */
const names: { readonly [C in ProblemCode]?: string } = {
  payment_required: 'payment-required',
  malformed_credential: 'malformed-credential',
  invalid_challenge: 'invalid-challenge',
  payment_nonce_reused: 'invalid-challenge',
  payment_verification_failed: 'verification-failed',
  payment_expired: 'payment-expired',
  payment_insufficient: 'payment-insufficient',
  method_unsupported: 'method-unsupported',
};

/** `type` of a payment problem on `/mpp/v1/*` (I7.3); null where the problem has a help page of ours. */
export function mppProblemType(code: string): string | null {
  const name = names[code as ProblemCode];
  return name === undefined ? null : `https://paymentauth.org/problems/${name}`;
}
