import { describe, expect, it } from 'vitest';
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
  state,
  withCheckout,
} from '../../fixtures/rigs/checkoutRig.ts';

withCheckout();

const stillOpen = async (answer: ReturnType<typeof order>) =>
  expect((await answer).json()).toMatchObject({ code: 'invalid_parameter', reason: 'open_checkout' });

describe('an open checkout its buyer will not finish (P5.4)', () => {
  it('is ended at the provider for who holds its pickup secret, and another amount is opened', async () => {
    const first = await opened({ credit_usd: 25 });
    const second = await opened({ secret: first.pickup_secret });
    expect([await state(first), await state(second)]).toMatchObject([
      { state: 'expired' },
      { state: 'open' },
    ]);
    await expect(card.pay(first.checkout_url)).rejects.toThrow('no such pay page');
    const [old] = card.sessions.values();
    if (old !== undefined) await notify(card.notice('checkout.session.expired', old));
    await notify(completed(await card.pay(second.checkout_url)));
    expect(await budgets()).toEqual([10_000_000]);
    expect(card.taken()).toBe(1000);
  });

  it('stays open for anybody else: no secret, a wrong one, that of another checkout', async () => {
    const first = await opened();
    const other = await opened({ account_id: 'desk-2' });
    for (const secret of [undefined, 'x', other.pickup_secret])
      await stillOpen(order(secret === undefined ? {} : { secret }));
    expect(await state(first)).toMatchObject({ state: 'open' });
    expect(card.sessions.size).toBe(2);
  });

  it('is ended by the session of the grant it would raise as well', async () => {
    const { checkout, session } = await paid();
    await notify(completed(session));
    const token = await pickedUp(checkout);
    const more = await opened({ token });
    const instead = await opened({ token, credit_usd: 15 });
    expect([await state(more), await state(instead)]).toMatchObject([
      { state: 'expired' },
      { state: 'open' },
    ]);
  });

  it('ends without proof when its time at the provider is over, whose notification never came', async () => {
    const first = await opened();
    rig.clock.nowMs += 1_799_999;
    await stillOpen(order());
    rig.clock.nowMs += 1;
    await opened();
    expect(await state(first)).toMatchObject({ state: 'expired' });
  });
});

describe('a checkout that is paid in the moment it is given up (P5.8)', () => {
  it('is credited once: the provider says that it is complete, and its notification decides', async () => {
    const { checkout, session } = await paid();
    await stillOpen(order({ secret: checkout.pickup_secret }));
    expect(await state(checkout)).toMatchObject({ state: 'open' });
    await notify(completed(session));
    await notify(completed(session));
    expect(await budgets()).toEqual([10_000_000]);
    expect(card.taken()).toBe(1000);
    // its budget needs its proof from here on
    expect(codeOf(await order({ secret: checkout.pickup_secret }))).toEqual([401, 'grant_identity_required']);
  });

  it.each([1, 2, 3, 4, 5])('whoever is first, money and budget agree (%i)', async () => {
    const first = await opened();
    const [payment, second] = await Promise.all([
      card.pay(first.checkout_url).catch(() => null),
      order({ secret: first.pickup_secret }),
    ]);
    if (payment !== null) await notify(completed(payment));
    expect(second.status).toBe(payment === null ? 201 : 400);
    expect(await state(first)).toMatchObject({ state: payment === null ? 'expired' : 'paid' });
    expect((await budgets()).reduce((sum, micro) => sum + micro, 0)).toBe(card.taken() * 10_000);
    expect(event('webhook_mismatch')).toEqual([]);
  });

  it.each(['drop', 'drop_after_accept'] as const)(
    'nothing is assumed when the provider does not answer (%s)',
    async (fault) => {
      const first = await opened();
      card.expiryFails(fault);
      await stillOpen(order({ secret: first.pickup_secret }));
      expect(await state(first)).toMatchObject({ state: 'open' });
      // asked again it says so, or has said so before
      expect((await opened({ secret: first.pickup_secret })).state).toBe('open');
      expect(await state(first)).toMatchObject({ state: 'expired' });
    },
  );
});
