import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { grantChallenge, grantSessionAnswer, grantState } from '../../data/contract/billing/grants.ts';
import { problem } from '../../data/contract/errors/problem.ts';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { type AccountRig, accountRig, operator } from '../../fixtures/rigs/accountRig.ts';
import { checksumAddress } from '../evm/ethereumBytes.ts';
import { personalDigest } from './grantRoutes.ts';

const wallet = testWallet(11);
const other = testWallet(12);
let rig: AccountRig;

beforeEach(async () => {
  rig = await accountRig();
});
afterEach(() => rig.close());

const challenge = async (address = wallet.address) =>
  grantChallenge.parse((await rig.ask(`/v1/grant/challenge?wallet=${address}`)).json());
const post = (body: object) => rig.ask('/v1/grant/session', { body });
const signed = async (by = wallet, input: { message?: string } = {}) => {
  const { message, nonce } = await challenge();
  return {
    wallet: wallet.address,
    nonce,
    signature: by.signDigest(personalDigest(input.message ?? message)),
  };
};
const codeOf = async (answer: Awaited<ReturnType<typeof post>>) => {
  const { status, code } = problem.parse(answer.json());
  expect(answer.status).toBe(status);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  return [status, code];
};

describe('a challenge (F04)', () => {
  it('is the message of I5.36 for any wallet, enrolled or not, and good for 600 s (A5.19, I5.34)', async () => {
    const answer = await rig.ask(`/v1/grant/challenge?wallet=${checksumAddress(wallet.address)}`);
    expect(answer.status).toBe(200);
    const body = grantChallenge.parse(answer.json());
    expect(body.message).toBe(
      [
        'api.example.com wants you to sign in with your Ethereum account:',
        checksumAddress(wallet.address),
        '',
        'Open an Issuer Intelligence grant session. This signature is not a payment.',
        '',
        'URI: https://api.example.com/v1/grant/session',
        'Version: 1',
        'Chain ID: 8453',
        `Nonce: ${body.nonce}`,
        'Issued At: 2026-02-07T10:00:00Z',
        'Expiration Time: 2026-02-07T10:10:00Z',
      ].join('\n'),
    );
    expect(body).toMatchObject({ wallet: wallet.address, expires_in_seconds: 600, chain_id: 8453 });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    await rig.enrol({ wallet: wallet.address });
    const enrolled = await challenge();
    expect({ ...enrolled, nonce: '', message: '' }).toEqual({ ...body, nonce: '', message: '' });
  });

  it('takes its host from the configuration, never from the request (S21)', async () => {
    const answer = await rig.ask(`/v1/grant/challenge?wallet=${wallet.address}`, {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' },
    });
    expect(answer.bytes.toString('utf8')).not.toContain('evil');
  });

  it.each([
    ['', 'missing_parameter'],
    ['?wallet=0x12', 'invalid_parameter'],
    [`?wallet=0x${'0'.repeat(40)}`, 'invalid_parameter'],
    ['?wallet=0xf39FD6e51aad88F6F4ce6aB8827279cffFb92266', 'invalid_parameter'],
  ])('is refused for %s', async (query, code) => {
    expect(await codeOf(await rig.ask(`/v1/grant/challenge${query}`))).toEqual([400, code]);
  });

  it('takes upper case and a right checksum', async () => {
    for (const spelled of [wallet.address.toUpperCase().replace('0X', '0x'), checksumAddress(wallet.address)])
      expect((await challenge(spelled)).wallet).toBe(wallet.address);
  });
});

describe('the limits of challenges (I8.3)', () => {
  it('are 10 a minute for an address and 5 for a wallet', async () => {
    await rig.close();
    rig = await accountRig({ environment: { II_RATE_WALLET: '5', II_RATE_CHALLENGE: '10' } });
    const asked = async (number: number) =>
      rig.ask(`/v1/grant/challenge?wallet=${testWallet(number).address}`);
    for (let i = 0; i < 5; i += 1) expect((await asked(1)).status).toBe(200);
    const sixth = await asked(1);
    expect(sixth.json()).toMatchObject({ status: 429, code: 'rate_limited', policy: 'wallet' });
    expect(sixth.headers.get('ratelimit-policy')).toBe('"wallet";q=5;w=60');
    for (let i = 2; i < 6; i += 1) expect((await asked(i)).status).toBe(200);
    expect((await asked(7)).json()).toMatchObject({ status: 429, policy: 'challenge' });
  });
});

describe('a session (F05)', () => {
  it('is opened for the signed challenge of an enrolled wallet (A5.20, I5.39)', async () => {
    const grantId = await rig.enrol({ wallet: wallet.address });
    const body = grantSessionAnswer.parse((await post(await signed())).json());
    expect(body.token.split('.')).toHaveLength(3);
    expect(body).toMatchObject({
      token_type: 'Bearer',
      wallet: wallet.address,
      grant_id: grantId,
      grant_program: 'design_partner_alpha',
      grant_status: 'active',
      grant_budget_usd: 100,
      grant_remaining_usd: 100,
      grant_expires_in_seconds: 30 * 86_400,
      expires_at: '2026-02-08T10:00:00Z',
      expires_in_seconds: 86_400,
      grant_credit_equivalent_limit: 10_000,
      grant_credit_equivalent_remaining: 10_000,
      covered_routes: ['GET /v1/readiness', 'GET /v1/covenant-stress/{ticker}'],
    });
    const claims = JSON.parse(Buffer.from(body.token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const iat = rig.clock.nowMs / 1000;
    const { session_id: sid } = body;
    const aud = 'api.example.com';
    expect(claims).toEqual({
      v: 1,
      kid: 'k2',
      sid,
      gid: grantId,
      wal: wallet.address,
      aud,
      iat,
      exp: iat + 86_400,
    });
  });

  it.each([0, 27])('takes recovery ids from %i on (P7.4)', async (base) => {
    await rig.enrol({ wallet: wallet.address });
    const body = await signed();
    const v = Number.parseInt(body.signature.slice(-2), 16) - 27 + base;
    const signature = `${body.signature.slice(0, -2)}${v.toString(16).padStart(2, '0')}`;
    expect((await post({ ...body, signature })).status).toBe(200);
  });

  it('spends its nonce with the first POST, whatever comes of it (A5.21, P7.3, S13)', async () => {
    await rig.enrol({ wallet: wallet.address });
    const bad = await signed(other);
    expect(await codeOf(await post(bad))).toEqual([401, 'invalid_signature']);
    expect(await codeOf(await post(bad))).toEqual([409, 'challenge_already_used']);
    const body = await signed();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(body)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(409)]);
  });

  it('ends with its challenge, and the boundary is over (A5.21)', async () => {
    await rig.enrol({ wallet: wallet.address });
    const body = await signed();
    rig.clock.nowMs += 599_999;
    const late = await signed();
    expect((await post(body)).status).toBe(200);
    const another = await signed();
    rig.clock.nowMs += 600_000;
    expect(await codeOf(await post(late))).toEqual([401, 'challenge_expired']);
    // what was over stays over when the clock steps back (S37)
    rig.clock.nowMs -= 3_600_000;
    expect(await codeOf(await post(another))).toEqual([401, 'challenge_expired']);
  });

  it('knows no nonce of another wallet, nor one nobody drew (I5.37)', async () => {
    await rig.enrol({ wallet: wallet.address });
    const { nonce, message } = await challenge(other.address);
    const signature = wallet.signDigest(personalDigest(message));
    expect(await codeOf(await post({ wallet: wallet.address, nonce, signature }))).toEqual([
      401,
      'unknown_challenge',
    ]);
    const nobody = { ...(await signed()), nonce: 'A'.repeat(24) };
    expect(await codeOf(await post(nobody))).toEqual([401, 'unknown_challenge']);
  });

  it('takes no signature for another host, chain or nonce (S13)', async () => {
    await rig.enrol({ wallet: wallet.address });
    const { message } = await challenge();
    for (const forged of [
      message.replace('api.example.com', 'evil.example'),
      message.replace('Chain ID: 8453', 'Chain ID: 1'),
      message,
    ]) {
      expect(await codeOf(await post(await signed(wallet, { message: forged })))).toEqual([
        401,
        'invalid_signature',
      ]);
    }
  });

  it('takes no signature with s in the upper half (S7)', async () => {
    await rig.enrol({ wallet: wallet.address });
    const body = await signed();
    const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = (n - BigInt(`0x${body.signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const v = body.signature.endsWith('1b') ? '1c' : '1b';
    expect(
      await codeOf(await post({ ...body, signature: `${body.signature.slice(0, 66)}${s}${v}` })),
    ).toEqual([401, 'invalid_signature']);
  });

  it('tells who is enrolled only to who can sign (A5.22, P7.5, S35)', async () => {
    expect(await codeOf(await post(await signed(other)))).toEqual([401, 'invalid_signature']);
    expect(await codeOf(await post(await signed()))).toEqual([403, 'wallet_not_enrolled']);
  });

  it.each(['suspend', 'revoke', 'expire'] as const)('is not opened after %s (I5.41)', async (what) => {
    const grantId = await rig.enrol({ wallet: wallet.address });
    const by = { grantId, as: operator, atMs: rig.clock.nowMs } as const;
    if (what === 'expire') rig.clock.nowMs += 30 * 86_400_000;
    else await rig.ledger.grants[what](by);
    const answer = await post(await signed());
    expect(await codeOf(answer)).toEqual([403, 'grant_not_active']);
    const status = { suspend: 'suspended', revoke: 'revoked', expire: 'expired' }[what];
    expect(answer.json()).toMatchObject({ grant_status: status, retryable: false });
  });

  it('goes to the active grant that expires first, and to an exhausted one when there is no other', async () => {
    const day = 86_400_000;
    const at = (days: number) => rig.clock.nowMs + days * day;
    const founding = { program: 'founding_user_credit', accountId: 'desk' } as const;
    const late = await rig.enrol({ wallet: wallet.address, expiresMs: at(20) });
    const spent = { wallet: wallet.address, budgetMicro: 1, expiresMs: at(2) };
    const exhausted = await rig.enrol({ ...founding, ...spent });
    expect((await post(await signed())).json()).toMatchObject({ grant_id: late });
    rig.clock.nowMs = at(20);
    await rig.ledger.grants.extend({
      grantId: exhausted,
      as: operator,
      atMs: rig.clock.nowMs,
      expiresMs: at(5),
    });
    expect((await post(await signed())).json()).toMatchObject({
      grant_id: exhausted,
      grant_status: 'exhausted',
    });
  });

  it.each([
    [{}, 'missing_parameter'],
    [{ wallet: 1 }, 'invalid_parameter'],
    [{ wallet: '0x12' }, 'invalid_parameter'],
    [{ extra: true }, 'unknown_parameter'],
    [[], 'invalid_json_body'],
    [Buffer.from('{"wallet":"a","wallet":"b"}'), 'invalid_json_body'],
    [Buffer.from('{'), 'invalid_json_body'],
  ])('has a body of three members: %j is %s (I5.38, I4.14)', async (body, code) => {
    expect(await codeOf(await post(body))).toEqual([400, code]);
  });

  it('has a body declared as JSON (I4.14)', async () => {
    const answer = await rig.ask('/v1/grant/session', {
      body: { wallet: wallet.address },
      headers: { 'content-type': 'text/plain' },
    });
    expect(await codeOf(answer)).toEqual([415, 'unsupported_media_type']);
  });
});

describe('the state of a grant (F03)', () => {
  const state = (headers: Record<string, string | readonly string[]>) =>
    rig.ask('/v1/grants/status', { headers });

  it('is shown to the holder of a token, in either header (I4.F03.2)', async () => {
    const grantId = await rig.enrol({ wallet: wallet.address, budgetMicro: 100_000 });
    const token = await rig.token(wallet);
    for (let i = 0; i < 2; i += 1)
      await rig.ask('/v1/readiness', { headers: { authorization: `Bearer ${token}` } });
    rig.clock.nowMs += 1000;
    const bearer = await state({ authorization: `Bearer ${token}` });
    const body = grantState.parse(bearer.json());
    expect(body).toMatchObject({
      grant_id: grantId,
      grant_status: 'active',
      wallet: wallet.address,
      account_id: null,
      grant_budget_usd: 0.1,
      session: { expires_in_seconds: 86_399 },
    });
    expect((await state({ 'X-Svc-Grant-Token': token })).json()).toEqual(bearer.json());
    expect(bearer.headers.get('ratelimit-policy')).toBe('"grant";q=1000;w=60');
  });

  it.each(['suspend', 'revoke', 'expire'] as const)('is shown after %s (I4.F03.3)', async (what) => {
    const expiresMs = rig.clock.nowMs + 3_600_000;
    const grantId = await rig.enrol({ wallet: wallet.address, expiresMs });
    const token = await rig.token(wallet);
    if (what === 'expire') rig.clock.nowMs = expiresMs;
    else await rig.ledger.grants[what]({ grantId, as: operator, atMs: rig.clock.nowMs });
    const status = { suspend: 'suspended', revoke: 'revoked', expire: 'expired' }[what];
    expect((await state({ authorization: `Bearer ${token}` })).json()).toMatchObject({
      grant_status: status,
      grant_remaining_usd: 100,
    });
  });

  it('is not shown without a token, with a bad one, with an expired one, or with two (I4.F03.3, I5.6)', async () => {
    const none = await state({});
    expect(await codeOf(none)).toEqual([401, 'grant_identity_required']);
    expect(none.headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect(none.json()['challenge_endpoint']).toContain('/v1/grant/challenge');
    expect(await codeOf(await state({ authorization: 'Bearer nonsense' }))).toEqual([
      401,
      'invalid_grant_token',
    ]);
    await rig.enrol({ wallet: wallet.address });
    const token = await rig.token(wallet);
    const different = { authorization: `Bearer ${token}`, 'x-svc-grant-token': `${token}x` };
    expect(await codeOf(await state(different))).toEqual([400, 'conflicting_credentials']);
    rig.clock.nowMs += 86_400_000;
    const expired = await state({ authorization: `Bearer ${token}` });
    expect(await codeOf(expired)).toEqual([401, 'grant_token_expired']);
    expect(expired.headers.get('www-authenticate')).toMatch(/^Bearer /);
  });
});
