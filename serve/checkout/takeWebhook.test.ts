import { describe, expect, it } from 'vitest';
import { grantSessionAnswer } from '../../data/contract/billing/grants.ts';
import { routeUri } from '../../data/contract/routes/route.ts';
import { liveRoutes } from '../../data/contract/routes/routes.ts';
import type { CardSession, Notice } from '../../fixtures/replicas/cardBank.ts';
import {
  budgets,
  card,
  codeOf,
  completed,
  event,
  notify,
  opened,
  order,
  paid,
  pickedUp,
  rig,
  secretKey,
  state,
  wallet,
  webhookSecret,
  withCheckout,
} from '../../fixtures/rigs/checkoutRig.ts';
import { openDatabase } from '../ledger/sqlite/schema/openDatabase.ts';

withCheckout();

describe('the notification of a payment (F17)', () => {
  it('credits a grant of all live routes for 30 days, which pays a call (A5.37, P5.8)', async () => {
    const release = rig.release({ sourceDate: '2026-02-07' });
    rig.promote(release, { '2026-02-07': release });
    const { checkout, session } = await paid();
    const answer = await notify(completed(session));
    expect([answer.status, answer.json()]).toEqual([200, { received: true }]);
    const after = await state(checkout);
    expect(after).toMatchObject({ state: 'paid', grant_status: 'active' });
    const headers = { 'x-checkout-secret': checkout.pickup_secret };
    const picked = await rig.ask(`/checkout/sessions/${checkout.checkout_id}/token`, { body: {}, headers });
    const body = grantSessionAnswer.parse(picked.json());
    const live = liveRoutes.filter((route) => route.family === 'v1').map(routeUri);
    expect(body).toMatchObject({
      grant_id: after.grant_id,
      grant_program: 'founding_user_credit',
      grant_budget_usd: 10,
      wallet: null,
      grant_expires_at: '2026-03-09T10:00:00Z',
      covered_routes: live,
    });
    const call = await rig.ask('/v1/covenant-stress/MSTR', {
      headers: { authorization: `Bearer ${body.token}` },
    });
    expect(call.json()).toMatchObject({ grant_debit_usd: 0.1, grant_remaining_usd: 9.9 });
    // the secret picks up again while the grant lives
    const again = await rig.ask(`/checkout/sessions/${checkout.checkout_id}/token`, { body: {}, headers });
    expect(again.status).toBe(200);
  });

  it('links the wallet that was given, which then signs in for itself', async () => {
    const { session } = await paid({ wallet: wallet.address });
    await notify(completed(session));
    expect(await rig.token(wallet)).toMatch(/^ii1\./);
  });

  it('that comes twice, or as two events, credits once (X73, S25)', async () => {
    const { session } = await paid();
    const notice = completed(session);
    await Promise.all(Array.from({ length: 10 }, () => notify(notice)));
    expect((await notify(card.notice('checkout.session.async_payment_succeeded', session))).status).toBe(200);
    expect(await budgets()).toEqual([10_000_000]);
    expect(card.taken()).toBe(1000);
  });

  it('that comes out of order changes nothing afterwards (X73, P5.9)', async () => {
    const { checkout, session } = await paid();
    await notify(completed(session));
    expect((await notify(card.notice('checkout.session.expired', session))).status).toBe(200);
    expect((await state(checkout)).state).toBe('paid');
    expect(await budgets()).toEqual([10_000_000]);
  });

  it('raises the budget of the account, extends it, and takes it back to all routes', async () => {
    const first = await paid();
    await notify(completed(first.session));
    const [grant] = await rig.ledger.grants.list();
    const grantId = grant?.grantId ?? '';
    const by = { grantId, as: 'operator:test', atMs: rig.clock.nowMs } as const;
    await rig.ledger.grants.setRoutes({ ...by, routes: ['GET /v1/readiness'], minPriceMicro: 40_000 });
    rig.clock.nowMs += 86_400_000;
    const second = await paid({ credit_usd: 15, token: await pickedUp(first.checkout) });
    await notify(completed(second.session));
    const [raised] = await rig.ledger.grants.list();
    expect(raised).toMatchObject({
      grantId,
      budgetMicro: 25_000_000,
      expiresMs: rig.clock.nowMs + 30 * 86_400_000,
      minPriceMicro: 30_000,
    });
    expect(raised?.routes).toContain('GET /v1/covenant-stress/{ticker}');
    expect(card.taken()).toBe(2500);
  });

  it.each<[string, (session: CardSession) => Notice, number]>([
    ['forged', (s) => completed(s, { secret: 'whsec_another' }), 400],
    ['old', (s) => completed(s, { at: rig.clock.nowMs / 1000 - 301 }), 400],
    ['from the future', (s) => completed(s, { at: rig.clock.nowMs / 1000 + 301 }), 400],
    ['unsigned', (s) => ({ ...completed(s), signature: '' }), 400],
    ['signed with a malformed header', (s) => ({ ...completed(s), signature: 't=1,v1=zz' }), 400],
    [
      'serialized again',
      (s) => {
        const { body, signature } = completed(s);
        return { signature, body: Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)) };
      },
      400,
    ],
  ])('that is %s is refused and nothing is stored (X73, S25, P5.7)', async (_, make, status) => {
    const { checkout, session } = await paid();
    const answer = await notify(make(session));
    expect(codeOf(answer)).toEqual([status, 'invalid_webhook_signature']);
    expect((await state(checkout)).state).toBe('open');
    expect(stored()).toEqual([]);
    expect(event('webhook_signature_invalid')).toHaveLength(1);
  });

  it('whose time lies 300 s back is still taken, also behind a rotated signature', async () => {
    const { session } = await paid();
    const { body, signature } = completed(session, { at: rig.clock.nowMs / 1000 - 300 });
    const [time, mac] = signature.split(',');
    const answer = await notify({ body, signature: `${time},v1=${'0'.repeat(64)},${mac},v0=old` });
    expect(answer.status).toBe(200);
    expect(await budgets()).toEqual([10_000_000]);
  });

  it.each([
    ['another amount', { object: { amount_total: 2500 } }],
    ['another currency', { object: { currency: 'eur' } }],
    ['live money', { live: true }],
  ])('of %s is kept as a mismatch, credits nothing and raises an alert (S26, P5.8)', async (_, change) => {
    const { checkout, session } = await paid();
    const answer = await notify(completed(session, { ...change, eventId: 'evt_1' }));
    expect(answer.status).toBe(200);
    expect(await budgets()).toEqual([]);
    expect((await state(checkout)).state).toBe('open');
    expect(stored()).toEqual([['evt_1', 'mismatch']]);
    expect(event('webhook_mismatch')).toHaveLength(1);
  });

  it('that is not paid yet, or is of another product, is ignored', async () => {
    const { session } = await paid();
    await notify(completed(session, { object: { payment_status: 'unpaid' } }));
    await notify(completed(session, { object: { client_reference_id: 'basket-77' } }));
    await notify(card.notice('customer.created', session));
    expect(await budgets()).toEqual([]);
    expect(stored().map(([, result]) => result)).toEqual(['ignored', 'ignored', 'ignored']);
  });

  it.each([
    ['checkout.session.expired', 'expired'],
    ['checkout.session.async_payment_failed', 'failed'],
  ])('%s closes the checkout, and the account may open another', async (type, closed) => {
    const checkout = await opened();
    const [session] = card.sessions.values();
    if (session !== undefined) await notify(card.notice(type, session));
    expect((await state(checkout)).state).toBe(closed);
    expect((await order()).status).toBe(201);
  });

  it('of a refund lowers the budget and closes the checkout (P5.9)', async () => {
    const { checkout, session } = await paid();
    await notify(completed(session));
    expect((await notify(card.notice('charge.refunded', session))).status).toBe(200);
    expect((await state(checkout)).state).toBe('refunded');
    expect(await budgets()).toEqual([0]);
  });

  it('of a dispute suspends the grant under operator:checkout (P5.9, I3.13)', async () => {
    const { checkout, session } = await paid();
    await notify(completed(session));
    await notify(card.notice('charge.dispute.created', session));
    const { grant_id, grant_status } = await state(checkout);
    expect(grant_status).toBe('suspended');
    const events = await rig.ledger.grants.events(grant_id ?? '');
    expect(events.at(-1)).toMatchObject({ detail: 'active>suspended', actor: 'operator:checkout' });
    const token = await rig.ask(`/checkout/sessions/${checkout.checkout_id}/token`, {
      body: {},
      headers: { 'x-checkout-secret': checkout.pickup_secret },
    });
    expect(codeOf(token)).toEqual([403, 'grant_not_active']);
    expect(token.json()).toMatchObject({ grant_status: 'suspended' });
  });

  it('of a partial refund leaves the rest to who has the secret (P5.9, I4.F16.1)', async () => {
    const { checkout, session } = await paid();
    await notify(completed(session));
    const partial = card.notice('charge.refunded', session, { object: { amount_refunded: 300 } });
    expect((await notify(partial)).status).toBe(200);
    expect(await state(checkout)).toMatchObject({ state: 'refunded', grant_status: 'active' });
    expect(await budgets()).toEqual([7_000_000]);
    expect(await pickedUp(checkout)).toMatch(/^ii1\./);
  });

  it('of a refund that overtakes its payment is asked for again, so that nothing is lost', async () => {
    const { checkout, session } = await paid();
    const refund = card.notice('charge.refunded', session);
    expect((await notify(refund)).status).toBe(503);
    await notify(completed(session));
    card.lookupFails(true);
    expect((await notify(refund)).status).toBe(503);
    card.lookupFails(false);
    expect((await notify(refund)).status).toBe(200);
    expect((await state(checkout)).state).toBe('refunded');
  });

  it('that is signed and no event is 400', async () => {
    const { session } = await paid();
    const { body, signature } = completed(session, { eventId: 'not an id' });
    expect(codeOf(await notify({ body, signature }))).toEqual([400, 'invalid_json_body']);
  });
});

describe('what is kept of it', () => {
  it('no secret is in log or ledger, and no body of a notification (P5.12, S16)', async () => {
    const { checkout, session } = await paid();
    await notify(completed(session, { object: { customer_email: 'buyer@example.com' } }));
    await notify({ ...completed(session), signature: 't=1,v1=00' });
    const database = openDatabase({ path: `${rig.root}/ledger.db`, mode: 'read' });
    const tables = ['checkout_sessions', 'webhook_events', 'grants', 'grant_events'];
    const rows = JSON.stringify(tables.map((table) => database.prepare(`SELECT * FROM ${table}`).all()));
    database.close();
    for (const text of [rig.logLines.join('\n'), rows]) {
      for (const secret of [checkout.pickup_secret, secretKey, webhookSecret, 'buyer@example.com'])
        expect(text).not.toContain(secret);
    }
  });
});

/** Events as the ledger keeps them. */
function stored(): (readonly [unknown, unknown])[] {
  const database = openDatabase({ path: `${rig.root}/ledger.db`, mode: 'read' });
  const rows = database
    .prepare('SELECT event_id, result FROM webhook_events ORDER BY received_ms, event_id')
    .all();
  database.close();
  return rows.map((row) => [row['event_id'], row['result']] as const);
}
