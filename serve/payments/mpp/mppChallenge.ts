import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Deployment, MppRail } from '../../../data/contract/emit/deployment.ts';

/** What every challenge of one deployment says, on every route (I5.20). */
export type MppTerms = MppRail & {
  /** Host of the public origin; no header and no environment decides it (P4.17, S21). */
  readonly realm: string;
  readonly intent: 'charge';
  readonly chainId: number;
};

/** The terms of a deployment whose MPP family is on. */
export function mppTerms(deployment: Pick<Deployment, 'baseUrl'>, rail: MppRail): MppTerms {
  return {
    realm: new URL(deployment.baseUrl).hostname,
    method: rail.method,
    intent: 'charge',
    network: rail.network,
    chainId: Number(rail.network.slice('eip155:'.length)),
    currency: rail.currency,
    recipient: rail.recipient,
  };
}

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

/** A challenge inside a frame: its parameters, the request as the object it encodes (P10.16). */
export type FramedChallenge = Omit<ChallengeParameters, 'request'> & {
  readonly request: Readonly<Record<string, unknown>>;
  /** What is sold, for who approves the payment; no part of the id. */
  readonly description: string;
};

/** What one request is asked to pay. */
export type Charge = {
  readonly amountMicro: number;
  readonly fingerprint: Uint8Array;
  readonly nowMs: number;
};

/** Mints challenges and recognizes its own; none is stored (P4.2). */
export type MppChallenges = {
  /** Value of `WWW-Authenticate` for one request (P4.1). */
  header(charge: Charge): string;
  /** The same as an object, for a tool call. */
  inFrame(charge: Charge, description: string): FramedChallenge;
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

  function mint({ amountMicro, fingerprint, nowMs }: Charge): ChallengeParameters {
    const slots = {
      realm: terms.realm,
      method: terms.method,
      intent: terms.intent,
      request: requestParameter(terms, amountMicro),
      expires: new Date(distinct(nowMs) + challengeMs).toISOString(),
      opaque: opaqueParameter(fingerprint),
    };
    return { id: challengeId(slots, secret), ...slots };
  }

  return {
    header: (charge) => challengeHeader(mint(charge)),
    inFrame(charge, description) {
      const minted = mint(charge);
      const request = JSON.parse(Buffer.from(minted.request, 'base64url').toString('utf8'));
      return { ...minted, request, description };
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

// digests of every input have one length
function sameText(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

/**
 * The `request` parameter of a price: unpadded base64url over RFC 8785 bytes (P4.1). Amounts are base units on the
 * wire, which for a token of six decimals are micro-USD.
 */
export function requestParameter(terms: MppTerms, amountMicro: number): string {
  const { currency, chainId, recipient } = terms;
  // RFC 8785 order; addresses and decimals need no escaping
  const text =
    `{"amount":"${amountMicro}","currency":"${currency}",` +
    `"methodDetails":{"chainId":${chainId},"supportedModes":["pull"]},"recipient":"${recipient}"}`;
  return Buffer.from(text).toString('base64url');
}

/** Micro-USD as the library takes amounts: decimal units of a token of six decimals (P4.17). */
export function decimalUnits(amountMicro: number): string {
  const whole = Math.floor(amountMicro / 1_000_000);
  const fraction = String(amountMicro % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return fraction === '' ? String(whole) : `${whole}.${fraction}`;
}
