import type { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { boundedJson } from '../../http/boundedJson.ts';
import { decodeCredential, type MppCredential, mppClaimKey, mppPayloadHash } from './credential.ts';
import {
  challengeExpired,
  invalidChallenge,
  methodUnsupported,
  mppVerificationFailed,
  paymentInsufficient,
} from './mppAnswers.ts';
import { type MppChallenges, opaqueParameter } from './mppChallenge.ts';
import { type MppTerms, requestParameter } from './mppTerms.ts';

/** A credential that was read, with what its claim is found by. */
export type ReadCredential = {
  readonly credential: MppCredential;
  readonly claimKey: Uint8Array;
  readonly payloadHash: Uint8Array;
  /** What the challenge asks: the price in force, or the one before it within its grace (P1.6). */
  readonly amountMicro: number;
  /** Why it pays nothing now, null when it does; a claim that is known is served without asking (I5.26). */
  fault(): IssuerError | null;
};

const transactionSyntax = /^0x(?:[0-9a-fA-F]{2}){1,4096}$/;

/**
 * The cheap checks of a credential, without library and ledger: decoding, HMAC, expiry, request, price, payload
 * (P4.9).
 *
 * @throws IssuerError `malformed_credential` or `method_unsupported`
 */
export function readCredential(
  text: string,
  input: {
    readonly terms: MppTerms;
    readonly challenges: MppChallenges;
    readonly amountMicro: number;
    /** null: no price before it is accepted. */
    readonly formerMicro: number | null;
    readonly fingerprint: Uint8Array;
    readonly nowMs: number;
  },
): ReadCredential {
  const credential = decodeCredential(text);
  const { challenge } = credential;
  if (challenge.method !== input.terms.method) throw methodUnsupported(input.terms.method);
  const asksFormer = input.formerMicro !== null && asks(challenge.request, input.terms, input.formerMicro);
  const amountMicro = asksFormer ? input.formerMicro : input.amountMicro;
  return {
    credential,
    claimKey: mppClaimKey(challenge.id),
    payloadHash: mppPayloadHash(credential),
    amountMicro,
    fault: () => faultOf(credential, { ...input, amountMicro }),
  };
}

// byte-equal to what we would mint for that price
function asks(request: string, terms: MppTerms, amountMicro: number): boolean {
  return request === requestParameter(terms, amountMicro);
}

function faultOf(
  credential: MppCredential,
  { terms, challenges, nowMs, fingerprint, amountMicro }: Parameters<typeof readCredential>[1],
): IssuerError | null {
  const { challenge, payload } = credential;
  if (!challenges.isOurs(challenge)) return invalidChallenge('not_issued_here');
  if (Date.parse(challenge.expires) <= nowMs) return challengeExpired();
  // an id of ours vouches for all slots, so these three differ only when the configuration changed
  if (challenge.realm !== terms.realm || challenge.intent !== terms.intent)
    return invalidChallenge('other_terms');
  if (challenge.opaque !== opaqueParameter(fingerprint)) return invalidChallenge('other_request');
  if (!asks(challenge.request, terms, amountMicro))
    return lowersAmountOnly(challenge.request, terms, amountMicro)
      ? paymentInsufficient()
      : invalidChallenge('other_terms');
  if (payload.type !== 'transaction') return mppVerificationFailed('mode_not_offered');
  if (payload.signature === null || !transactionSyntax.test(payload.signature))
    return mppVerificationFailed('invalid_transaction');
  return null;
}

// an older, lower price under the terms of today
function lowersAmountOnly(request: string, terms: MppTerms, amountMicro: number): boolean {
  const parsed = boundedJson(Buffer.from(request, 'base64url'));
  if ('fault' in parsed) return false;
  const { amount } = (parsed.value ?? {}) as { readonly amount?: unknown };
  if (typeof amount !== 'string' || !/^[1-9][0-9]{0,15}$/.test(amount)) return false;
  const asked = Number(amount);
  return asked < amountMicro && asks(request, terms, asked);
}
