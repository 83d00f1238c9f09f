import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { GrantSecret } from '../config/grantsConfig.ts';
import { grantsConfig } from '../config/grantsConfig.ts';
import { grantTokens } from './grantToken.ts';

const startMs = Date.parse('2026-02-07T10:00:00Z');
const older: GrantSecret = { kid: 'k1', secret: Buffer.alloc(32, 1) };
const newer: GrantSecret = { kid: 'k2', secret: Buffer.alloc(32, 2) };
const clock = { nowMs: startMs };
const tokensOf = (...secrets: [GrantSecret, ...GrantSecret[]]) => {
  clock.nowMs = startMs;
  return grantTokens({ secrets, audience: 'api.example.com', nowMs: () => clock.nowMs });
};
const session = (issuedMs = startMs) => ({
  sessionId: 'gss_01JKZ3M6Q2V8R4T7W9Y1A3C5E7',
  grantId: 'grt_01JKZ3M6Q2V8R4T7W9Y1A3C5E7',
  wallet: null,
  issuedSeconds: issuedMs / 1000,
  expiresSeconds: issuedMs / 1000 + 86_400,
});
const signed = (text: string, { secret }: GrantSecret) => {
  const part = Buffer.from(text).toString('base64url');
  return `ii1.${part}.${createHmac('sha256', secret).update(`ii1.${part}`).digest('base64url')}`;
};
const claims = (change: object = {}) =>
  JSON.stringify({
    v: 1,
    kid: 'k1',
    sid: 's',
    gid: 'g',
    wal: null,
    aud: 'api.example.com',
    iat: startMs / 1000,
    exp: startMs / 1000 + 86_400,
    ...change,
  });

describe('a grant token (I5.40, P7.6)', () => {
  it('says what was signed, and fits its size', () => {
    const tokens = tokensOf(older);
    const token = tokens.mint(session());
    expect(token.length).toBeLessThanOrEqual(1024);
    expect(tokens.check(token)).toEqual({ kind: 'valid', claims: session() });
  });

  it('is signed with the newest secret; an older one is good for a day from the start (P7.7)', () => {
    const byOlder = tokensOf(older).mint(session());
    const tokens = tokensOf(newer, older);
    expect(
      JSON.parse(Buffer.from(tokens.mint(session()).split('.')[1] ?? '', 'base64url').toString()),
    ).toMatchObject({ kid: 'k2' });
    expect(tokens.check(byOlder).kind).toBe('valid');
    const late = tokensOf(older).mint(session(startMs + 3_600_000));
    const rotated = tokensOf(newer, older);
    clock.nowMs = startMs + 86_399_999;
    expect(rotated.check(late).kind).toBe('valid');
    clock.nowMs += 1;
    expect(rotated.check(late).kind).toBe('invalid');
    expect(rotated.check(rotated.mint(session(clock.nowMs))).kind).toBe('valid');
  });

  it('of a secret that is gone, or that names another kid than its own, is invalid', () => {
    expect(tokensOf(newer).check(tokensOf(older).mint(session())).kind).toBe('invalid');
    expect(tokensOf(newer, older).check(signed(claims({ kid: 'k2' }), older)).kind).toBe('invalid');
    expect(tokensOf(older).check(signed(claims(), older)).kind).toBe('valid');
  });

  it.each<[string, string]>([
    ['another audience', claims({ aud: 'api.example.org' })],
    ['another version', claims({ v: 2 })],
    ['a longer life', claims({ exp: startMs / 1000 + 86_401 })],
    ['a member nobody asked for', claims({ alg: 'none' })],
    ['a missing member', claims({ sid: undefined })],
    ['a repeated member', claims().replace('"v":1', '"v":1,"v":1')],
    ['a time that is no number', claims({ exp: 'never' })],
    ['no object', '[]'],
    ['no JSON', '{'],
  ])('with %s is invalid although its HMAC is right (S14)', (_, text) => {
    expect(tokensOf(older).check(signed(text, older)).kind).toBe('invalid');
  });

  it('is expired from its last second on (X68)', () => {
    const tokens = tokensOf(older);
    const token = tokens.mint(session());
    clock.nowMs = startMs + 86_400_000;
    expect(tokens.check(token).kind).toBe('expired');
    expect(tokens.check(`${token.slice(0, -1)}_`).kind).toBe('invalid');
  });
});

describe('II_PAY_GRANT_SECRETS', () => {
  const base64 = Buffer.alloc(32, 7).toString('base64');

  it('names its secrets, the newest first', () => {
    const { secrets } = grantsConfig(JSON.stringify({ b: base64, a: base64 }));
    expect(secrets.map(({ kid }) => kid)).toEqual(['b', 'a']);
    expect(secrets[0]?.secret).toEqual(Buffer.alloc(32, 7));
    expect(grantsConfig(undefined)).toEqual({ secrets: [] });
  });

  it.each([
    'secret',
    '[]',
    '{}',
    '{"a":1}',
    '{"a":"short"}',
    `{"a":"${Buffer.alloc(31).toString('base64')}"}`,
    `{"2":"${base64}"}`,
    `{"a b":"${base64}"}`,
  ])('%s stops the start without being repeated', (value) => {
    expect(() => grantsConfig(value)).toThrow(
      expect.objectContaining({ code: 'configuration', details: { variable: 'II_PAY_GRANT_SECRETS' } }),
    );
    expect(() => grantsConfig(value)).not.toThrow(value.length > 4 ? value : 'never');
  });
});
