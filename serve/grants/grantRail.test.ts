import { describe, expect, it } from 'vitest';
import { billingEnvelope } from '../../data/contract/billing/billingEnvelope.ts';
import { refusedGrant } from '../../data/contract/billing/grants.ts';
import { challengeMembers, problem } from '../../data/contract/errors/problem.ts';
import {
  by,
  call,
  enrol,
  grantId,
  money,
  readiness,
  rig,
  states,
  stress,
  token,
  withGrantRail,
  written,
} from '../../fixtures/rigs/grantRailRig.ts';

// the grant rail at the level of HTTP: 0.04 for readiness, 0.10 for one issuer (PAYMENTS 7.B, INTERFACE I5.42)

withGrantRail();

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
