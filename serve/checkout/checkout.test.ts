import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkoutSession, checkoutState } from '../../contract/checkout.ts';
import { grantSessionAnswer } from '../../contract/grants.ts';
import { problem } from '../../contract/problem.ts';
import { routeUri } from '../../contract/route.ts';
import { liveRoutes } from '../../contract/routes.ts';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { type AccountRig, accountRig } from '../../fixtures/replicas/accountRig.ts';
import {
  type CardReplica,
  type CardSession,
  cardReplica,
  type Notice,
} from '../../fixtures/replicas/cardReplica.ts';
import { openDatabase } from '../ledger/sqlite/openDatabase.ts';

const webhookSecret = 'whsec_for_tests_only';
const secretKey = 'sk_test_for_tests_only';
const wallet = testWallet(11);
let card: CardReplica;
let rig: AccountRig;

beforeEach(async () => {
  let nowMs = () => 0;
  card = await cardReplica({ webhookSecret, nowSeconds: () => Math.floor(nowMs() / 1000) });
  rig = await accountRig({
    environment: {
      II_PAY_CHECKOUT_PROVIDER: 'stripe',
      II_PAY_CHECKOUT_SECRET_KEY: secretKey,
      II_PAY_CHECKOUT_WEBHOOK_SECRET: webhookSecret,
      II_PAY_CHECKOUT_API_BASE: card.url,
      II_PAY_CHECKOUT_SUCCESS_URL: 'https://example.com/paid',
      II_PAY_CHECKOUT_CANCEL_URL: 'https://example.com/left',
      II_PAY_CHECKOUT_LIVE: 'false',
    },
  });
  nowMs = () => rig.clock.nowMs;
});
afterEach(async () => {
  expect((await rig.ledger.check()).problems).toEqual([]);
  await rig.close();
  await card.close();
});

let orders = 0;
type Order = {
  key?: string | null;
  account_id?: string;
  credit_usd?: unknown;
  wallet?: string;
  from?: string;
};
function order({ key, from, ...body }: Order = {}) {
  orders += 1;
  const idempotencyKey = key === undefined ? `order-${orders}-test` : key;
  return rig.ask('/checkout/sessions', {
    body: { account_id: 'desk-1', credit_usd: 10, ...body },
    headers: idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey },
    clientAddress: from ?? '192.0.2.1',
  });
}
const opened = async (o: Order = {}) => checkoutSession.parse((await order(o)).json());
const notify = ({ body, signature }: Notice, headers: Record<string, string> = {}) =>
  rig.ask('/checkout/webhooks/stripe', { body, headers: { 'stripe-signature': signature, ...headers } });
const paid = async (o: Order = {}) => {
  const checkout = await opened(o);
  const session = await card.pay(checkout.checkout_url);
  return { checkout, session };
};
const completed = (session: CardSession, change = {}) =>
  card.notice('checkout.session.completed', session, change);
const state = async ({ checkout_id, pickup_secret }: { checkout_id: string; pickup_secret: string }) =>
  checkoutState.parse(
    (
      await rig.ask(`/checkout/sessions/${checkout_id}`, { headers: { 'x-checkout-secret': pickup_secret } })
    ).json(),
  );
const codeOf = (answer: Awaited<ReturnType<typeof order>>) => {
  const { status, code } = problem.parse(answer.json());
  expect(answer.status).toBe(status);
  return [status, code];
};
const budgets = async () => (await rig.ledger.grants.list()).map((grant) => grant.budgetMicro);
const event = (name: string) => rig.logLines.filter((line) => line.includes(`"${name}"`));

describe('a checkout (F14)', () => {
  it('is opened at the provider with our row behind it (I4.F14.1, P5.6)', async () => {
    const answer = await order({ wallet: wallet.address.toUpperCase().replace('0X', '0x') });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const body = checkoutSession.parse(answer.json());
    expect(body).toMatchObject({
      state: 'open',
      credit_usd: 10,
      charge_usd: 10,
      account_id: 'desk-1',
      wallet: wallet.address,
      expires_at: '2026-02-07T10:30:00Z',
    });
    const [sent] = card.creations;
    expect(sent?.form).toEqual({
      mode: 'payment',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '1000',
      'line_items[0][price_data][product_data][name]': 'Issuer Intelligence credit',
      client_reference_id: body.checkout_id,
      'metadata[checkout_id]': body.checkout_id,
      'metadata[credit_micro]': '10000000',
      success_url: 'https://example.com/paid',
      cancel_url: 'https://example.com/left',
      expires_at: String(rig.clock.nowMs / 1000 + 1800),
    });
    expect(sent?.headers).toMatchObject({
      authorization: `Bearer ${secretKey}`,
      'idempotency-key': body.checkout_id,
      'stripe-version': expect.stringMatching(/^\d{4}-\d{2}-\d{2}/),
    });
    expect(await state(body)).toMatchObject({ state: 'open', grant_id: null, grant_status: null });
  });

  it('is the same for the same key and body, and refused for another body (P5.5)', async () => {
    const first = await opened({ key: 'order-the-same' });
    rig.clock.nowMs += 60_000;
    expect(await opened({ key: 'order-the-same' })).toEqual(first);
    expect(card.sessions.size).toBe(1);
    expect(codeOf(await order({ key: 'order-the-same', credit_usd: 15 }))).toEqual([
      409,
      'idempotency_key_reused',
    ]);
  });

  it.each(['drop', 'drop_after_accept', 'server_error', 'html'] as const)(
    'whose creation is unclear (%s) is finished by the repeat of its key, once (P5.5)',
    async (fault) => {
      card.misbehave(fault);
      const unclear = await order({ key: 'order-unclear' });
      expect(codeOf(unclear)).toEqual([503, 'settlement_unavailable']);
      expect(unclear.json()).toMatchObject({ rail: 'checkout_session' });
      expect((await opened({ key: 'order-unclear' })).state).toBe('open');
      expect(card.sessions.size).toBe(1);
    },
  );

  it.each(['refuse', 'other_amount', 'other_mode'] as const)(
    'is not offered when the provider answers something else (%s)',
    async (fault) => {
      card.misbehave(fault);
      expect(codeOf(await order())).toEqual([503, 'settlement_unavailable']);
    },
  );

  it('is one at a time for an account, and five an hour for an address (P5.4)', async () => {
    await opened();
    const second = await order();
    expect(codeOf(second)).toEqual([400, 'invalid_parameter']);
    expect(second.json()).toMatchObject({ parameter: 'account_id', reason: 'open_checkout' });
    for (let i = 2; i <= 5; i += 1) await opened({ account_id: `desk-${i}` });
    const sixth = await order({ account_id: 'desk-6' });
    expect(sixth.json()).toMatchObject({ status: 429, code: 'rate_limited', policy: 'checkout' });
    expect((await order({ account_id: 'desk-6', from: '192.0.2.2' })).status).toBe(201);
    rig.clock.nowMs += 3_600_000;
    expect((await order({ account_id: 'desk-7' })).status).toBe(201);
  });

  it('does not fill an account above 25 USD (P5.4)', async () => {
    const { session } = await paid({ credit_usd: 20 });
    await notify(completed(session));
    const more = await order({ credit_usd: 10 });
    expect(codeOf(more)).toEqual([400, 'invalid_parameter']);
    expect(more.json()).toMatchObject({ parameter: 'credit_usd', max: 25 });
  });

  it.each<[Order, string]>([
    [{ key: null }, 'missing_parameter'],
    [{ key: 'short' }, 'invalid_parameter'],
    [{ credit_usd: 11 }, 'invalid_parameter'],
    [{ credit_usd: '10' }, 'invalid_parameter'],
    [{ account_id: 'a b' }, 'invalid_parameter'],
    [{ wallet: '0x12' }, 'invalid_parameter'],
  ])('is refused for %j', async (given, code) => {
    expect(codeOf(await order(given))).toEqual([400, code]);
    expect(card.creations).toEqual([]);
  });
});

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
    const second = await paid({ credit_usd: 15 });
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

describe('the pickup secret (F15, F16)', () => {
  it('of another checkout, a wrong one and none are refused alike (S26, I4.F15.1)', async () => {
    const first = await opened();
    const second = await opened({ account_id: 'desk-2' });
    const unknown = `/checkout/sessions/chk_${'0'.repeat(26)}`;
    const mine = `/checkout/sessions/${first.checkout_id}`;
    const answers = [
      await rig.ask(mine, { headers: { 'x-checkout-secret': second.pickup_secret } }),
      await rig.ask(mine, { headers: { 'x-checkout-secret': 'x' } }),
      await rig.ask(mine),
      await rig.ask(unknown, { headers: { 'x-checkout-secret': first.pickup_secret } }),
      await rig.ask(`${mine}/token`, { body: {}, headers: { 'x-checkout-secret': second.pickup_secret } }),
    ];
    const bodies = answers.map((answer) => {
      expect(codeOf(answer)).toEqual([401, 'invalid_checkout_secret']);
      return { ...answer.json(), request_id: '', instance: '' };
    });
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });

  it('opens no session before the payment, and takes no body (I4.F16.1)', async () => {
    const checkout = await opened();
    const path = `/checkout/sessions/${checkout.checkout_id}/token`;
    const headers = { 'x-checkout-secret': checkout.pickup_secret };
    const early = await rig.ask(path, { body: {}, headers });
    expect(codeOf(early)).toEqual([403, 'grant_not_active']);
    expect(early.json()).toMatchObject({ grant_status: null });
    expect(codeOf(await rig.ask(path, { body: { a: 1 }, headers }))).toEqual([400, 'unknown_parameter']);
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

describe('a deployment without card checkout (I4.F14.2, P5.10)', () => {
  it('says so on the routes of buyers, and has no webhook', async () => {
    await rig.close();
    rig = await accountRig();
    const id = `chk_${'0'.repeat(26)}`;
    for (const answer of [
      await rig.ask('/checkout/sessions', { body: {} }),
      await rig.ask(`/checkout/sessions/${id}`),
      await rig.ask(`/checkout/sessions/${id}/token`, { body: {} }),
    ]) {
      expect(answer.json()).toMatchObject({
        status: 503,
        code: 'settlement_unavailable',
        rail: 'checkout_session',
        detail: 'Card checkout is not configured on this deployment.',
      });
    }
    expect(codeOf(await rig.ask('/checkout/webhooks/stripe', { body: {} }))).toEqual([
      404,
      'route_not_found',
    ]);
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
