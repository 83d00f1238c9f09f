import { describe, expect, it } from 'vitest';
import { problem } from '../../data/contract/errors/problem.ts';
import {
  budgets,
  card,
  codeOf,
  completed,
  notify,
  opened,
  order,
  paid,
  pickedUp,
  rig,
  state,
  withCheckout,
} from '../../fixtures/rigs/checkoutRig.ts';
import { checkoutLimits } from './hourlyLimit.ts';

// who may add to a budget: the name of an account is chosen, not verified, and no secret (P5.3, P5.8)

withCheckout();

const bought = async (account_id = 'desk-1') => {
  const { checkout, session } = await paid({ account_id });
  await notify(completed(session));
  return checkout;
};

describe('a second purchase for an account', () => {
  it('is refused before anything is created at the provider, unless its buyer holds the grant', async () => {
    await bought();
    const other = await pickedUp(await bought('desk-2'));
    const created = card.creations.length;
    const none = await order();
    expect(codeOf(none)).toEqual([401, 'grant_identity_required']);
    const told = problem.parse(none.json());
    expect(told.detail).toContain('X-Svc-Grant-Token');
    expect(codeOf(await order({ token: other }))).toEqual([401, 'grant_identity_required']);
    expect(codeOf(await order({ token: `${other.slice(0, -4)}AAAA` }))).toEqual([401, 'invalid_grant_token']);
    expect(card.creations).toHaveLength(created);
    expect(await budgets()).toEqual([10_000_000, 10_000_000]);
  });

  it('with an old session is told that its time is over', async () => {
    const token = await pickedUp(await bought());
    rig.clock.nowMs += 86_400_000;
    expect(codeOf(await order({ token }))).toEqual([401, 'grant_token_expired']);
  });

  it('of its holder raises that grant, and both secrets pick it up', async () => {
    const first = await bought();
    const { checkout, session } = await paid({ token: await pickedUp(first) });
    const { grant_id } = await state(first);
    expect(await state(checkout)).toMatchObject({ state: 'open', grant_id });
    await notify(completed(session));
    expect(await budgets()).toEqual([20_000_000]);
    expect(await state(checkout)).toMatchObject({ state: 'paid', grant_id });
    expect(await pickedUp(checkout)).toMatch(/^ii1\./);
  });

  it('that was opened before the first was paid gets a grant of its own', async () => {
    const late = await paid();
    rig.clock.nowMs += 3_600_001;
    const first = await bought();
    await notify(completed(late.session));
    expect(await budgets()).toEqual([10_000_000, 10_000_000]);
    expect((await state(late.checkout)).grant_id).not.toBe((await state(first)).grant_id);
    expect(await pickedUp(late.checkout)).toMatch(/^ii1\./);
  });
});

describe('guesses at the Idempotency-Key of a checkout (I4.F14.1)', () => {
  it('end at twenty an hour for an address, also while its account has an open checkout', async () => {
    const victim = await opened({ key: 'order-1234' });
    const from = '192.0.2.9';
    for (let n = 0; n < 20; n += 1) {
      const answer = await order({ key: `order-${2000 + n}`, from });
      expect(answer.json()).toMatchObject({ code: 'invalid_parameter', reason: 'open_checkout' });
    }
    const right = await order({ key: 'order-1234', from });
    expect(right.json()).toMatchObject({ code: 'rate_limited', policy: 'checkout' });
    // who repeats what he sent is not kept out by it
    for (let n = 0; n < 30; n += 1) {
      rig.clock.nowMs += 1000;
      expect(await opened({ key: 'order-1234' })).toEqual(victim);
    }
  });

  it('are counted where the key is known with another body', async () => {
    await opened({ key: 'order-1234' });
    for (let n = 0; n < 20; n += 1)
      expect(codeOf(await order({ key: 'order-1234', credit_usd: 15, from: '192.0.2.9' }))[0]).toBe(409);
    expect(codeOf(await order({ key: 'order-1234', from: '192.0.2.9' }))).toEqual([429, 'rate_limited']);
  });

  it('are counted together for the addresses one line has (a /64), apart for others', () => {
    const { creations } = checkoutLimits();
    const one = [
      '2001:db8::1',
      '2001:DB8:0:0:9::',
      '2001:0db8:0:0:ffff:1:2:3',
      '2001:db8::',
      '2001:db8::2:1',
    ];
    for (const address of one) creations.take(address, 0);
    expect(() => creations.take('2001:db8:0:0:a:b:c:d', 0)).toThrow('More than 5 checkouts an hour.');
    for (const address of ['2001:db8:0:1::1', '::1', '::ffff:192.0.2.1', '::ffff:192.0.2.2', '192.0.2.1'])
      for (let n = 0; n < 5; n += 1) expect(() => creations.take(address, 0)).not.toThrow();
  });

  it('are given back one by one', () => {
    const { creations } = checkoutLimits();
    const back = [1, 2, 3, 4, 5].map((atMs) => creations.take('a', atMs));
    expect(() => creations.take('a', 6)).toThrow('More than 5 checkouts an hour.');
    back[1]?.();
    creations.take('a', 7);
    expect(() => creations.take('a', 8)).toThrow();
    expect(() => creations.take('a', 3_600_002)).not.toThrow();
  });
});
