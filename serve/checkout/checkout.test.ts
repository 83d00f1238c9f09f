import { describe, expect, it } from 'vitest';
import { checkoutSession } from '../../data/contract/billing/checkout.ts';
import {
  card,
  codeOf,
  completed,
  notify,
  type Order,
  opened,
  order,
  paid,
  pickedUp,
  rig,
  secretKey,
  state,
  wallet,
  withCheckout,
  withoutCheckout,
} from '../../fixtures/rigs/checkoutRig.ts';

withCheckout();

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
    const { checkout, session } = await paid({ credit_usd: 20 });
    await notify(completed(session));
    const more = await order({ credit_usd: 10, token: await pickedUp(checkout) });
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

describe('a deployment without card checkout (I4.F14.2, P5.10)', () => {
  it('says so on the routes of buyers, and has no webhook', async () => {
    await withoutCheckout();
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
