import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { type MppTerms, requestParameter } from './mppTerms.ts';

/** How long a challenge can be answered (I8.1). */
export const challengeMs = 300_000;
/** How long the previous secret verifies after the start: as long as its challenges live (P4.19). */
const previousSecretMs = 300_000;

/** How far expiries may run ahead of the clock to stay distinct. */
const maxAheadMs = 1000;

/** The parameters of one challenge, as the header prints them and the credential repeats them (P4.1). */
export type ChallengeParameters = {
  readonly id: string;
  readonly realm: string;
  readonly method: string;
  readonly intent: string;
  /** base64url */
  readonly request: string;
  /** RFC 3339 with milliseconds */
  readonly expires: string;
  /** base64url */
  readonly opaque: string;
};

/** Mints challenges and recognizes its own; none is stored (P4.2). */
export type MppChallenges = {
  /** Value of `WWW-Authenticate` for one request (P4.1). */
  header(input: { amountMicro: number; fingerprint: Uint8Array; nowMs: number }): string;
  /** Compares the id with what either secret gives, in constant time (P4.9). */
  isOurs(challenge: ChallengeParameters): boolean;
};

/** Builds the challenges of one deployment; `monotonicMs` is a clock that does not step (S37). */
export function mppChallenges({
  terms,
  secret,
  previousSecret,
  monotonicMs,
}: {
  terms: MppTerms;
  secret: string;
  previousSecret: string | null;
  monotonicMs(): number;
}): MppChallenges {
  const startedMs = monotonicMs();
  let lastMs = 0;

  // two buyers of one millisecond would hold one challenge, and only one of them could pay it
  function distinct(nowMs: number): number {
    const next = Math.max(nowMs, lastMs + 1);
    lastMs = next - nowMs < maxAheadMs ? next : nowMs;
    return lastMs;
  }

  return {
    header({ amountMicro, fingerprint, nowMs }) {
      const slots = {
        realm: terms.realm,
        method: terms.method,
        intent: terms.intent,
        request: requestParameter(terms, amountMicro),
        expires: new Date(distinct(nowMs) + challengeMs).toISOString(),
        opaque: opaqueParameter(fingerprint),
      };
      return challengeHeader({ id: challengeId(slots, secret), ...slots });
    },
    isOurs(challenge) {
      const previous = monotonicMs() - startedMs < previousSecretMs ? previousSecret : null;
      const current = sameText(challenge.id, challengeId(challenge, secret));
      if (previous === null) return current;
      // both are compared, so that timing does not reveal which one matched
      return sameText(challenge.id, challengeId(challenge, previous)) || current;
    },
  };
}

/** `{"f": <request fingerprint>}`: without it a challenge would be good on every route of its price (P4.3). */
export function opaqueParameter(fingerprint: Uint8Array): string {
  return Buffer.from(`{"f":"${Buffer.from(fingerprint).toString('hex')}"}`).toString('base64url');
}

/** HMAC-SHA256 over seven positional slots; that of the body digest stays empty (P4.2). */
export function challengeId(slots: Omit<ChallengeParameters, 'id'>, secret: string): string {
  const { realm, method, intent, request, expires, opaque } = slots;
  return createHmac('sha256', secret)
    .update(`${realm}|${method}|${intent}|${request}|${expires}||${opaque}`)
    .digest('base64url');
}

function challengeHeader(c: ChallengeParameters): string {
  return (
    `Payment id="${c.id}", realm="${c.realm}", method="${c.method}", intent="${c.intent}", ` +
    `request="${c.request}", expires="${c.expires}", opaque="${c.opaque}"`
  );
}

// digests have one length whatever was sent
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}
