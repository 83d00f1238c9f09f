import { Challenge } from 'mppx';
import { describe, expect, it } from 'vitest';
import {
  challengeId,
  decimalUnits,
  mppChallenges,
  mppTerms,
  opaqueParameter,
  requestParameter,
} from './mppChallenge.ts';

const terms = mppTerms(
  { baseUrl: 'https://api.example.com' },
  {
    method: 'tempo',
    network: 'eip155:1337',
    currency: '0x20c0000000000000000000000000000000000000',
    recipient: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  },
);
const secret = 'thirty-two bytes of a test secret';
const fingerprint = new Uint8Array(32).fill(0xab);
const nowMs = Date.parse('2026-02-07T10:00:00.000Z');
const charge = { amountMicro: 40_000, fingerprint, nowMs };
const start = (input: { secret?: string; previousSecret?: string; clock?: { ms: number } } = {}) =>
  mppChallenges({
    terms,
    secret: input.secret ?? secret,
    previousSecret: input.previousSecret ?? null,
    monotonicMs: () => input.clock?.ms ?? 0,
  });
const parameters = (header: string) => {
  const read = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(header)?.[1] ?? '';
  return {
    id: read('id'),
    realm: read('realm'),
    method: read('method'),
    intent: read('intent'),
    request: read('request'),
    expires: read('expires'),
    opaque: read('opaque'),
  };
};

describe('an MPP challenge', () => {
  it('is the reference library’s, byte for byte (P4.2)', () => {
    const reference = Challenge.from({
      realm: 'api.example.com',
      method: 'tempo',
      intent: 'charge',
      request: {
        amount: '40000',
        currency: terms.currency,
        methodDetails: { chainId: 1337, supportedModes: ['pull'] },
        recipient: terms.recipient,
      },
      expires: '2026-02-07T10:05:00.000Z',
      meta: { f: 'ab'.repeat(32) },
      secretKey: secret,
    });
    expect(start().header(charge)).toBe(Challenge.serialize(reference));
  });

  it('verifies with the reference library, and its challenges here (P4.2)', () => {
    const parsed = Challenge.deserialize(start().header(charge));
    expect(Challenge.verify(parsed, { secretKey: secret })).toBe(true);
    expect(Challenge.verify(parsed, { secretKey: `${secret}!` })).toBe(false);
    const theirs = Challenge.serialize(
      Challenge.from({ ...parsed, expires: '2027-01-01T00:00:00.000Z', secretKey: secret } as never),
    );
    expect(start().isOurs(parameters(theirs))).toBe(true);
  });

  it('is another with any slot changed', () => {
    const minted = parameters(start().header(charge));
    expect(start().isOurs(minted)).toBe(true);
    for (const name of Object.keys(minted) as (keyof typeof minted)[]) {
      expect(start().isOurs({ ...minted, [name]: `${minted[name]}A` }), name).toBe(false);
    }
  });

  it('moves no character from one slot to the next', () => {
    const minted = parameters(start().header(charge));
    const shifted = { ...minted, method: `${minted.method}|charge`, intent: '' };
    expect(challengeId(shifted, secret)).not.toBe(minted.id);
  });

  it('is good under the previous secret for 300 s after the start, and minted with the current one (P4.19)', () => {
    const old = parameters(start().header(charge));
    const clock = { ms: 5000 };
    const rotated = start({ secret: 'the secret of today, also long enough', previousSecret: secret, clock });
    expect(rotated.isOurs(old)).toBe(true);
    expect(start().isOurs(parameters(rotated.header(charge)))).toBe(false);
    clock.ms += 299_999;
    expect(rotated.isOurs(old)).toBe(true);
    clock.ms += 1;
    expect(rotated.isOurs(old)).toBe(false);
  });

  it('is distinct for callers of one millisecond, at most a second ahead', () => {
    const challenges = start();
    const expiries = Array.from({ length: 1500 }, () => parameters(challenges.header(charge)).expires);
    expect(new Set(expiries.slice(0, 1000)).size).toBe(1000);
    const latest = Math.max(...expiries.map((one) => Date.parse(one)));
    expect(latest - nowMs).toBeLessThan(301_000);
  });

  it('binds the request and asks for base units of the wire (P4.3, P4.17)', () => {
    expect(Buffer.from(opaqueParameter(fingerprint), 'base64url').toString()).toBe(
      `{"f":"${'ab'.repeat(32)}"}`,
    );
    expect(Buffer.from(requestParameter(terms, 30_000), 'base64url').toString()).toContain(
      '"amount":"30000"',
    );
    const units = [30_000, 1_000_000, 1, 4_500_000, 1_200_001].map(decimalUnits);
    expect(units).toEqual(['0.03', '1', '0.000001', '4.5', '1.200001']);
  });

  it('takes its realm from the public origin alone (P4.17)', () => {
    const rail = { method: 'tempo', network: 'eip155:1', currency: '0x1', recipient: '0x2' };
    expect(mppTerms({ baseUrl: 'https://api.example.com:8443' }, rail).realm).toBe('api.example.com');
  });
});
