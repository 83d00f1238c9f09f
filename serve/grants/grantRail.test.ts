import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { billingEnvelope } from '../../contract/billingEnvelope.ts';
import { refusedGrant } from '../../contract/grants.ts';
import { IssuerError } from '../../contract/issuerError.ts';
import { challengeMembers, problem } from '../../contract/problem.ts';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { type AccountRig, accountRig, operator } from '../../fixtures/replicas/accountRig.ts';

// the grant rail at the level of HTTP: 0.04 for readiness, 0.10 for one issuer (PAYMENTS 7.B, INTERFACE I5.42)

const readiness = '/v1/readiness';
const stress = '/v1/covenant-stress/MSTR';
const wallet = testWallet(11);
let rig: AccountRig;
let grantId: string;
let token: string;

beforeEach(async () => {
  rig = await accountRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
});
afterEach(async () => {
  expect((await rig.ledger.check()).problems).toEqual([]);
  await rig.close();
});

async function enrol(o: Parameters<AccountRig['enrol']>[0] = {}): Promise<void> {
  grantId = await rig.enrol({ wallet: wallet.address, ...o });
  token = await rig.token(wallet);
}
type Ask = NonNullable<Parameters<AccountRig['ask']>[1]>;
const call = (path = readiness, o: Ask = {}) =>
  rig.ask(path, { ...o, headers: { authorization: `Bearer ${token}`, ...o.headers } });
// the ends of holds are handed over and not awaited: an awaited write behind them makes them durable
const written = () => rig.ledger.sweep();
const states = async () => {
  await written();
  return (await rig.ledger.grants.debits(grantId)).map((debit) => debit.state);
};
const money = async () => {
  await written();
  const grant = await rig.ledger.grants.find(grantId);
  return { spent: grant?.spentMicro, held: grant?.heldMicro };
};
const by = () => ({ grantId, as: operator, atMs: rig.clock.nowMs }) as const;

describe('a covered call', () => {
  it('is answered with column grant of I5.46, in either header (A5.23, A5.24)', async () => {
    await enrol();
    const answer = await call();
    expect(answer.status).toBe(200);
    const envelope = billingEnvelope.parse(answer.json());
    expect(envelope).toMatchObject({
      billing_mode: 'identity_credit',
      billing_status: 'not_charged',
      payment_status: 'grant_applied',
      cost_usd: 0,
      actual_cost_usd: 0,
      quoted_cost_usd: 0.04,
      credits_charged: 0,
      grant_id: grantId,
      grant_program: 'design_partner_alpha',
      grant_status: 'active',
      grant_source: 'budget_grant',
      grant_budget_usd: 100,
      grant_remaining_usd: 99.96,
      grant_debit_usd: 0.04,
      grant_expires_in_seconds: 30 * 86_400,
      grant_limit_type: 'budget_usd',
      grant_limit_unit: 'usd',
      grant_runway_authoritative_fields: ['grant_budget_usd', 'grant_remaining_usd', 'grant_expires_at'],
      settlement_receipt: {
        settlement_mode: 'grant_covered',
        charge_status: 'not_charged',
        charged_amount_usdc: '0.000000',
        payer_identity: `grant:${grantId}`,
        grant_id: grantId,
        grant_debit_usd: 0.04,
        provider: null,
        quality_flags: [],
      },
    });
    expect(answer.headers.get('x-charge-status')).toBe('not_charged');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    const again = await rig.ask(readiness, { headers: { 'X-Svc-Grant-Token': token } });
    expect(again.json()).toMatchObject({ grant_remaining_usd: 99.92, grant_debit_usd: 0.04 });
    expect(await states()).toEqual(['debited', 'debited']);
    expect(await money()).toEqual({ spent: 80_000, held: 0 });
  });

  it('is held before its first byte, durably, with its receipt (P7.8, S1)', async () => {
    await enrol();
    const answer = await call(readiness, { delivery: null });
    const { receipt_id } = answer.json()['settlement_receipt'] as { receipt_id: string };
    expect(await states()).toEqual(['held']);
    expect(await money()).toEqual({ spent: 0, held: 40_000 });
    expect((await rig.ledger.findReceipt(receipt_id))?.chargeStatus).toBe('not_charged');
    answer.outgoing.done('delivered');
  });

  it('that says 304 debits like one that says 200 (A9.4, I5.42 b)', async () => {
    await enrol();
    const etag = (await call()).headers.get('etag') ?? '';
    const answer = await call(readiness, { headers: { 'if-none-match': etag } });
    expect([answer.status, answer.bytes.length]).toEqual([304, 0]);
    expect(await money()).toEqual({ spent: 80_000, held: 0 });
  });

  it('debits the price of its route', async () => {
    await enrol();
    await call(stress);
    expect(await money()).toEqual({ spent: 100_000, held: 0 });
  });

  it('asked by HEAD is answered and debits nothing (I4.5, I5.42 f)', async () => {
    await enrol();
    const answer = await call(readiness, { method: 'HEAD' });
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    expect(answer.headers.get('x-artifact-version')).toBeDefined();
    await rig.ledger.grants.suspend(by());
    rig.clock.nowMs += 5000;
    expect((await call(readiness, { method: 'HEAD' })).status).toBe(402);
    expect(await states()).toEqual([]);
  });

  it.each([
    ['/v1/covenant-stress/ZZZZZ', 404],
    ['/v1/readiness?foo=1', 400],
  ])('%s never debits (A5.28)', async (path, status) => {
    await enrol();
    expect((await call(path)).status).toBe(status);
    expect(await states()).toEqual([]);
  });
});

describe('how an answer ends (P7.9)', () => {
  it.each([
    ['delivered', false, 'debited'],
    ['partial', false, 'debited'],
    ['undelivered', false, 'released'],
    ['partial', true, 'released'],
    ['undelivered', true, 'released'],
  ] as const)('%s, our fault %s: %s (X40–X42, A5.38)', async (delivery, serverFault, state) => {
    await enrol();
    const answer = await call(readiness, { delivery, serverFault });
    expect(await states()).toEqual([state]);
    expect(await money()).toEqual({ spent: state === 'debited' ? 40_000 : 0, held: 0 });
    const { receipt_id } = answer.json()['settlement_receipt'] as { receipt_id: string };
    expect((await rig.ledger.findReceipt(receipt_id))?.delivery).toBe(delivery);
  });

  it('a hold whose process died is given back by the worker after 60 s, not before (P7.11)', async () => {
    await enrol();
    await call(readiness, { delivery: null });
    rig.clock.nowMs += 59_999;
    expect((await rig.ledger.sweep()).holdsReleased).toBe(0);
    rig.clock.nowMs += 1;
    expect((await rig.ledger.sweep()).holdsReleased).toBe(1);
    expect(await states()).toEqual(['released']);
    expect(await money()).toEqual({ spent: 0, held: 0 });
  });
});

describe('an empty purse', () => {
  it('answers two of forty calls at once on 0.10 at 0.04 and keeps 0.02 (X31, A5.26, P7.12)', async () => {
    await enrol({ budgetMicro: 100_000 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => call()));
    const bodies = answers.map((answer) => answer.json());
    expect(bodies.filter((body) => body['billing_mode'] === 'identity_credit')).toHaveLength(2);
    const refused = bodies.filter((body) => body['code'] === 'grant_insufficient_budget');
    expect(refused).toHaveLength(38);
    await written();
    const grant = await rig.ledger.grants.find(grantId);
    expect(grant).toMatchObject({ spentMicro: 80_000, heldMicro: 0, status: 'exhausted' });
    expect(await states()).toEqual(['debited', 'debited']);
    const later = await call();
    expect(later.json()).toMatchObject({
      code: 'grant_insufficient_budget',
      grant: { grant_status: 'exhausted', grant_remaining_usd: 0.02, required_usd: 0.04 },
    });
  });

  it('shows what is left in the order of the holds (P7.15)', async () => {
    await enrol({ budgetMicro: 200_000 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => call()));
    const left = answers.map((answer) => Number(answer.json()['grant_remaining_usd']));
    expect(left.sort()).toEqual([0, 0.04, 0.08, 0.12, 0.16]);
    expect(answers.map((answer) => answer.json()['grant_status']).sort()).toEqual([
      ...Array(4).fill('active'),
      'exhausted',
    ]);
  });

  it('is not used as part payment, and is full again after a top-up', async () => {
    await enrol({ budgetMicro: 90_000 });
    expect((await call(stress)).json()).toMatchObject({ code: 'grant_insufficient_budget' });
    await rig.ledger.grants.topUp({ ...by(), addMicro: 10_000 });
    expect((await call(stress)).status).toBe(200);
  });
});

describe('refusals carry the usual challenge and the grant (P7.17, I5.42)', () => {
  const refusal = async (path = readiness) => {
    const answer = await call(path);
    const body = problem.parse(answer.json());
    expect(answer.status).toBe(402);
    expect(body).toMatchObject({ status: 402, retryable: true, billing_status: 'not_charged' });
    const members = challengeMembers.parse(body);
    expect(members.error).toBe(body.code);
    expect(
      JSON.parse(Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString()),
    ).toEqual(
      Object.fromEntries(
        ['x402Version', 'error', 'resource', 'accepts', 'extensions'].map((name) => [name, body[name]]),
      ),
    );
    const grant = refusedGrant.parse(body['grant']);
    expect(grant).toMatchObject({ grant_id: grantId, grant_program: 'design_partner_alpha' });
    return { code: body.code, status: grant.grant_status };
  };

  it('for a route that is not in the list, without a debit (A5.25)', async () => {
    await enrol({ routes: ['GET /v1/readiness'], minPriceMicro: 40_000 });
    expect(await refusal(stress)).toEqual({ code: 'grant_route_not_covered', status: 'active' });
    await rig.ledger.grants.setRoutes({
      ...by(),
      routes: ['GET /v1/covenant-stress/{ticker}'],
      minPriceMicro: 100_000,
    });
    // a longer list is seen at once
    expect((await call(stress)).status).toBe(200);
  });

  it('for a suspended grant at once, whatever its token says (A3.11, I3.14)', async () => {
    await enrol();
    await call();
    await rig.ledger.grants.suspend(by());
    expect(await refusal()).toEqual({ code: 'grant_not_active', status: 'suspended' });
    await rig.ledger.grants.resume(by());
    expect((await call()).status).toBe(200);
  });

  it('for a grant that is over at exactly its last millisecond (X68, P7.13)', async () => {
    const expiresMs = rig.clock.nowMs + 3_600_000;
    await enrol({ expiresMs });
    rig.clock.nowMs = expiresMs - 1;
    expect((await call()).status).toBe(200);
    rig.clock.nowMs = expiresMs;
    expect(await refusal()).toEqual({ code: 'grant_not_active', status: 'expired' });
    await rig.ledger.sweep();
    expect((await rig.ledger.grants.find(grantId))?.status).toBe('expired');
    expect(await states()).toEqual(['debited']);
  });

  it('for the call after a revocation, not for the one under way (X69)', async () => {
    await enrol();
    const running = await call(readiness, { delivery: null });
    await rig.ledger.grants.revoke(by());
    running.outgoing.done('delivered');
    expect(running.status).toBe(200);
    expect(await refusal()).toEqual({ code: 'grant_not_active', status: 'revoked' });
    rig.clock.nowMs += 5000;
    expect(await refusal()).toEqual({ code: 'grant_not_active', status: 'revoked' });
    expect(await states()).toEqual(['debited']);
  });
});

describe('a token', () => {
  const refused = async (o: { headers: Record<string, string | string[]> }, path = readiness) => {
    const answer = await rig.ask(path, o);
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

  it('of one grant has a limit of its own (I8.3)', async () => {
    await rig.close();
    rig = await accountRig({ environment: { II_RATE_GRANT: '2' } });
    const release = rig.release({ sourceDate: '2026-02-07' });
    rig.promote(release, { '2026-02-07': release });
    await enrol();
    expect([(await call()).status, (await call()).status]).toEqual([200, 200]);
    const third = await call();
    expect(third.json()).toMatchObject({ status: 429, policy: 'grant' });
    expect(await states()).toEqual(['debited', 'debited']);
  });
});

describe('an Idempotency-Key (I5.30, P7.16)', () => {
  const key = { 'idempotency-key': 'order-0000001' };

  it('makes two equal calls one debit with one receipt (A5.29)', async () => {
    await enrol();
    const first = await call(readiness, { headers: key });
    rig.clock.nowMs += 60_000;
    const again = await call(readiness, { headers: key });
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.json()['response_metadata']).toMatchObject({ replayed: true });
    expect(again.json()['settlement_receipt']).toMatchObject({
      ...(first.json()['settlement_receipt'] as object),
      quality_flags: ['replayed'],
      updated_at_utc: expect.any(String),
    });
    expect(again.json()).toMatchObject({ grant_debit_usd: 0.04, grant_remaining_usd: 99.96 });
    expect(await states()).toEqual(['debited']);
  });

  it('stands for one request, for a day', async () => {
    await enrol();
    await call(readiness, { headers: key });
    const other = await call(stress, { headers: key });
    expect(other.json()).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    rig.clock.nowMs += 86_400_000;
    token = await rig.token(wallet);
    expect((await call(stress, { headers: key })).status).toBe(200);
    expect(await states()).toEqual(['debited', 'debited']);
  });

  it('is free again when its first answer never arrived', async () => {
    await enrol();
    await call(readiness, { headers: key, delivery: 'undelivered' });
    const again = await call(readiness, { headers: key });
    expect(again.headers.get('idempotent-replay')).toBeUndefined();
    expect(await states()).toEqual(['released', 'debited']);
  });

  it('makes twenty calls at once one debit', async () => {
    await enrol();
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(readiness, { headers: key })));
    const receipts = answers.map((answer) => answer.headers.get('x-receipt-id'));
    expect(new Set(receipts).size).toBe(1);
    expect(await states()).toEqual(['debited']);
  });

  it('is refused when it is none (400)', async () => {
    await enrol();
    const answer = await call(readiness, { headers: { 'idempotency-key': 'short' } });
    expect(answer.json()).toMatchObject({ code: 'invalid_parameter', parameter: 'Idempotency-Key' });
  });

  it('works for API keys as well: one receipt, another request refused (P6.6)', async () => {
    const apiKey = await rig.key();
    const keyed = (path: string) => rig.ask(path, { headers: { 'x-api-key': apiKey, ...key } });
    const first = await keyed(readiness);
    const again = await keyed(readiness);
    expect(again.headers.get('x-receipt-id')).toBe(first.headers.get('x-receipt-id'));
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.json()).toMatchObject({
      billing_mode: 'api_key_not_charged',
      settlement_receipt: { quality_flags: ['replayed'] },
    });
    billingEnvelope.parse(again.json());
    expect((await keyed(stress)).json()).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    expect((await rig.ledger.check()).receipts).toBe(1);
  });
});

describe('a ledger that cannot write (X47, X49)', () => {
  it.each(['settlement_unavailable', 'store_unwritable', 'overloaded'] as const)(
    '(%s) makes grant calls 503 without a challenge; what is unpaid or free is answered',
    async (code) => {
      await enrol();
      Object.assign(rig.ledger, {
        hold: async () => {
          throw new IssuerError({ code, message: 'The ledger cannot write.', hint: '' });
        },
      });
      const answer = await call();
      expect(answer.json()).toMatchObject({
        status: 503,
        code: code === 'overloaded' ? 'overloaded' : 'settlement_unavailable',
        billing_status: 'not_charged',
      });
      expect(answer.headers.get('payment-required')).toBeUndefined();
      expect(answer.headers.get('retry-after')).toBeDefined();
      expect((await rig.ask(readiness)).status).toBe(402);
      expect((await rig.ask('/v1/pricing')).status).toBe(200);
      expect(await states()).toEqual([]);
    },
  );
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
