import { hash } from 'node:crypto';
import { boundedJson } from '../../http/boundedJson.ts';
import { malformedCredential } from './mppAnswers.ts';
import type { ChallengeParameters } from './mppChallenge.ts';

/** What follows `Authorization: Payment`, or stands for it inside a frame, decoded; nothing of it is believed yet (P4.4). */
export type MppCredential = {
  readonly challenge: ChallengeParameters;
  readonly payload: { readonly type: string; readonly signature: string | null };
  /** Who the client says it is. */
  readonly source: string | null;
};

/** As long as its header may be (P1.9). */
const maxCharacters = 8192;
const syntax = /^[A-Za-z0-9_-]+$/;
const challengeMembers = ['id', 'realm', 'method', 'intent', 'request', 'expires', 'opaque'] as const;
const printable = /^[\x20-\x7e]{1,4096}$/;

/**
 * Decodes a credential: alphabet first, then bounded JSON, then its shape (P2.16, P4.9).
 *
 * @throws IssuerError `malformed_credential`
 */
export function decodeCredential(text: string): MppCredential {
  if (text.length > maxCharacters) throw malformedCredential('too_long');
  if (!syntax.test(text) || text.length % 4 === 1) throw malformedCredential('not_base64url');
  const parsed = boundedJson(Buffer.from(text, 'base64url'));
  if ('fault' in parsed) throw malformedCredential(parsed.fault);
  const { challenge, payload, source } = members(parsed.value, 'credential');
  const offered = members(challenge, 'challenge');
  const parameters: Record<string, string> = {};
  for (const name of challengeMembers) parameters[name] = printableText(offered[name], name);
  // a digest would have to be hashed with the rest; ours have none
  if (offered['digest'] !== undefined) throw malformedCredential('digest');
  const paid = members(payload, 'payload');
  const signature = paid['signature'];
  return {
    challenge: parameters as ChallengeParameters,
    payload: {
      type: printableText(paid['type'], 'payload.type'),
      signature: typeof signature === 'string' ? signature : null,
    },
    source: source === undefined || source === null ? null : printableText(source, 'source'),
  };
}

/** Key of the claim: `payment_authorization_hash` of the MPP rail as raw bytes (I5.23, P8.20). */
export function mppClaimKey(challengeId: string): Uint8Array {
  return new Uint8Array(
    hash('sha256', `{"challenge_id":${JSON.stringify(challengeId)},"rail":"mpp"}`, 'buffer'),
  );
}

/** Identity of one full payment: the challenge and the signed bytes (P8.31). */
export function mppPayloadHash(credential: MppCredential): Uint8Array {
  const signed = (credential.payload.signature ?? '').toLowerCase();
  return new Uint8Array(
    hash('sha256', `${credential.challenge.id} ${credential.payload.type} ${signed}`, 'buffer'),
  );
}

/** The credential as the library gets it: rebuilt from checked members, nothing else the client sent (S6). */
export function credentialHeader(challenge: ChallengeParameters, signature: string): string {
  const text = JSON.stringify({ challenge, payload: { signature, type: 'transaction' } });
  return `Payment ${Buffer.from(text).toString('base64url')}`;
}

function members(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformedCredential(what);
  return Object.assign(Object.create(null), value);
}

function printableText(value: unknown, what: string): string {
  if (typeof value !== 'string' || !printable.test(value)) throw malformedCredential(what);
  return value;
}
