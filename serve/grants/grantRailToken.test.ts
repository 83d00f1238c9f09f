import { describe, expect, it } from 'vitest';
import { unsignedPayment } from '../../fixtures/builders/unsignedPayment.ts';
import {
  call,
  enrol,
  readiness,
  restart,
  rig,
  states,
  token,
  wallet,
  withGrantRail,
} from '../../fixtures/rigs/grantRailRig.ts';
import { payTo } from '../../fixtures/rigs/paidRig.ts';
import { credentialHeader } from '../payments/mpp/credential.ts';

// the grant rail at the level of HTTP: 0.04 for readiness, 0.10 for one issuer (PAYMENTS 7.B, INTERFACE I5.42)

withGrantRail();

const mppOffered = {
  II_PAY_MPP_RECIPIENT: payTo,
  II_PAY_MPP_CURRENCY: '0x20c0000000000000000000000000000000000000',
  II_PAY_MPP_CHAIN_ID: '42431',
};
const parameters = {
  id: 'a',
  realm: 'api.example.com',
  method: 'tempo',
  intent: 'charge',
  request: 'e30',
  expires: '2026-02-07T10:05:00.000Z',
  opaque: 'e30',
};

describe('a token', () => {
  const refused = async (input: { headers: Record<string, string | string[]> }, path = readiness) => {
    const answer = await rig.ask(path, input);
    expect(await states()).toEqual([]);
    return [answer.status, answer.json()['code'], answer.headers.get('www-authenticate')?.slice(0, 6)];
  };

  it('fails with any bit flipped (A5.27, S14)', async () => {
    await enrol();
    for (let at = 0; at < token.length; at += 7) {
      const flipped = Buffer.from(token, 'latin1');
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      const outcome = await refused({ headers: { 'x-svc-grant-token': flipped.toString('latin1') } });
      expect(outcome, String(at)).toEqual([401, 'invalid_grant_token', 'Bearer']);
    }
    // 43 digits carry two bits too many
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const other = last[last.indexOf(token.at(-1) ?? '') ^ 1];
    expect(await refused({ headers: { authorization: `Bearer ${token.slice(0, -1)}${other}` } })).toEqual([
      401,
      'invalid_grant_token',
      'Bearer',
    ]);
  });

  it('is over at exactly its last second (X68), and stays so when the clock steps back an hour (S37)', async () => {
    await enrol();
    const endMs = rig.clock.nowMs + 86_400_000;
    const over = [401, 'grant_token_expired', 'Bearer'];
    rig.clock.nowMs = endMs;
    expect(await refused({ headers: { authorization: `Bearer ${token}` } })).toEqual(over);
    rig.clock.nowMs -= 3_600_000;
    expect(await refused({ headers: { authorization: `Bearer ${token}` } })).toEqual(over);
    expect((await rig.ask('/v1/grants/status', { headers: { 'x-svc-grant-token': token } })).status).toBe(
      401,
    );
  });

  it('is good up to its last millisecond', async () => {
    await enrol();
    rig.clock.nowMs += 86_399_999;
    expect((await call()).status).toBe(200);
  });

  it('is one credential among others: key, payment, grant (P1.11, I5.3, I5.6)', async () => {
    await enrol();
    const bearer = `Bearer ${token}`;
    const key = await rig.key();
    const withKey = await rig.ask(readiness, { headers: { authorization: bearer, 'x-api-key': key } });
    expect(withKey.json()).toMatchObject({ billing_mode: 'api_key_not_charged' });
    const wrongKey = { authorization: bearer, 'mcp-api-key': `${key.slice(0, -2)}AA` };
    expect((await rig.ask(readiness, { headers: wrongKey })).json()).toMatchObject({
      code: 'invalid_api_key',
    });
    const payment = Buffer.from('{}').toString('base64');
    expect(
      (await rig.ask(readiness, { headers: { authorization: bearer, 'payment-signature': payment } })).json(),
    ).toMatchObject({ code: 'invalid_payment' });
    expect(await refused({ headers: { authorization: bearer, 'x-svc-grant-token': `${token}A` } })).toEqual([
      400,
      'conflicting_credentials',
      undefined,
    ]);
    expect(await refused({ headers: { authorization: [bearer, `Bearer ${token}A`] } })).toEqual([
      400,
      'conflicting_credentials',
      undefined,
    ]);
    const twice = { authorization: bearer, 'x-svc-grant-token': token };
    expect((await rig.ask(readiness, { headers: twice })).status).toBe(200);
  });

  it.each([
    ['x402', readiness, { 'payment-signature': unsignedPayment() }],
    ['mpp', `/mpp${readiness}`, { authorization: credentialHeader(parameters, '0x76') }],
  ])(
    'pays for no %s payment that nothing settles here: 503, and the grant is whole (P0.7, P1.11)',
    async (name, path, paid) => {
      await restart(mppOffered);
      await enrol();
      const answer = await rig.ask(path, { headers: { ...paid, 'x-svc-grant-token': token } });
      expect(answer.json()).toMatchObject({ status: 503, code: 'settlement_unavailable', rail: name });
      expect(await states()).toEqual([]);
      expect((await call()).status).toBe(200);
      expect(await states()).toEqual(['debited']);
    },
  );

  it('of one grant has a limit of its own (I8.3)', async () => {
    await restart({ II_RATE_GRANT: '2' });
    await enrol();
    expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
    const third = await call();
    expect(third.json()).toMatchObject({ status: 429, policy: 'grant' });
    expect(await states()).toEqual(['debited', 'debited']);
  });
});

describe('secrets', () => {
  it('are in no line of the log: tokens, signatures, nonces (I9.32, S16)', async () => {
    await enrol();
    await call();
    await call('/v1/covenant-stress/ZZZZZ');
    await rig.ask(readiness, { headers: { authorization: `Bearer ${token}x` } });
    const text = rig.logLines.join('\n');
    for (const secret of ['ii1.', token.slice(4, 40), wallet.address]) expect(text).not.toContain(secret);
  });
});
