import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../ledger.ts';
import type { NewCheckout, WebhookEffect, WebhookEvent } from '../port/checkout.ts';
import { operator, sha256 } from './examples.ts';
import type { LedgerUnderTest, RunningLedger } from './underTest.ts';

/** Card checkout (PAYMENTS 5), for every adapter. */
export function checkoutSuite(adapter: LedgerUnderTest): void {
  let running: RunningLedger;
  let ledger: Ledger;
  beforeEach(async () => {
    running = await adapter.start();
    ledger = running.ledger;
  });
  afterEach(() => running.stop());
  const now = () => Date.now();

  describe(`${adapter.name}: card checkout (5)`, () => {
    const checkout = (n: number, o: Partial<NewCheckout> = {}): NewCheckout => ({
      checkoutId: `chk_${String(n).padStart(26, '0')}`,
      provider: 'stripe',
      idempotencyKey: `idem-${n}`,
      accountId: 'acct-1',
      wallet: null,
      creditMicro: 10_000_000,
      chargeMinor: 1000,
      currency: 'usd',
      grantId: null,
      pickupHash: sha256(`pickup ${n}`),
      createdMs: now(),
      maxRemainingMicro: 25_000_000,
      ...o,
    });
    const paid = (n: number, o: Partial<Extract<WebhookEffect, { kind: 'paid' }>> = {}) =>
      ({
        kind: 'paid',
        checkoutId: checkout(n).checkoutId,
        amountMinor: 1000,
        currency: 'usd',
        modeMatches: true,
        newGrantId: `grt_${n}`,
        routes: ['GET /v1/readiness'],
        minPriceMicro: 10_000,
        expiresMs: now() + 2_592_000_000,
        ...o,
      }) as const;
    const event = (eventId: string, effect: WebhookEffect): WebhookEvent => ({
      provider: 'stripe',
      eventId,
      type: 'checkout.session.completed',
      bodySha256: sha256(eventId),
      receivedMs: now(),
      effect,
    });

    test('creating is idempotent by key and limited by account (P5.4, P5.5)', async () => {
      expect((await ledger.checkout.create(checkout(1))).kind).toBe('created');
      expect((await ledger.checkout.create({ ...checkout(2), idempotencyKey: 'idem-1' })).kind).toBe(
        'replay',
      );
      expect(
        await ledger.checkout.create({ ...checkout(2), idempotencyKey: 'idem-1', creditMicro: 1 }),
      ).toEqual({
        kind: 'reused',
      });
      expect(await ledger.checkout.create(checkout(2))).toMatchObject({
        kind: 'open_checkout',
        checkout: { checkoutId: checkout(1).checkoutId, state: 'creating' },
      });
      // what no provider knows yet cannot be ended there
      const first = { checkoutId: checkout(1).checkoutId, atMs: now() };
      expect(await ledger.checkout.ended(first)).toBe(false);
      const opened = { checkoutId: checkout(1).checkoutId, providerSessionId: 'cs_1', atMs: now() };
      expect(await ledger.checkout.opened(opened)).toBe(true);
      expect(await ledger.checkout.opened(opened)).toBe(false);
      expect(await ledger.checkout.ended(first)).toBe(true);
      expect(await ledger.checkout.ended(first)).toBe(false);
      expect((await ledger.checkout.find(first.checkoutId))?.checkout.state).toBe('expired');
      expect((await ledger.checkout.create(checkout(2))).kind).toBe('created');
      expect(await ledger.checkout.create(checkout(3, { accountId: 'b', creditMicro: 25_000_001 }))).toEqual({
        kind: 'over_limit',
      });
    });

    test('the same event ten times and two events for one payment credit once (P5.8, S25, X73)', async () => {
      await ledger.checkout.create(checkout(1));
      const other = await running.second();
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          (i % 2 === 0 ? ledger : other).checkout.apply(event('evt_1', paid(1))),
        ),
      );
      expect(results.filter((r) => r === 'credited')).toHaveLength(1);
      expect(results.filter((r) => r === 'duplicate')).toHaveLength(9);
      expect(await ledger.checkout.apply(event('evt_2', paid(1)))).toBe('ignored');
      expect(
        await ledger.checkout.apply(event('evt_3', { kind: 'expired', checkoutId: checkout(1).checkoutId })),
      ).toBe('ignored');
      const found = await ledger.checkout.find(checkout(1).checkoutId);
      expect(found).toMatchObject({
        checkout: { state: 'paid', grantId: 'grt_1' },
        grant: { budgetMicro: 10_000_000, program: 'founding_user_credit', accountId: 'acct-1' },
      });
      // a second purchase of its holder raises the same grant
      await ledger.checkout.create(checkout(2, { grantId: 'grt_1' }));
      expect(await ledger.checkout.apply(event('evt_4', paid(2)))).toBe('credited');
      expect((await ledger.grants.find('grt_1'))?.budgetMicro).toBe(20_000_000);
      expect((await ledger.checkout.create(checkout(3, { grantId: 'grt_1' }))).kind).toBe('over_limit');
    });

    test('an account with a living grant is sold to its holder alone (P5.3, P5.8)', async () => {
      await ledger.checkout.create(checkout(1));
      await ledger.checkout.create(checkout(2, { accountId: 'acct-2' }));
      await ledger.checkout.apply(event('evt_1', paid(1)));
      await ledger.checkout.apply(event('evt_2', paid(2)));
      for (const grantId of [null, 'grt_2', 'grt_9'])
        expect(await ledger.checkout.create(checkout(3, { grantId }))).toEqual({ kind: 'not_proven' });
      expect(await ledger.checkout.create(checkout(3, { grantId: 'grt_1' }))).toMatchObject({
        kind: 'created',
        checkout: { grantId: 'grt_1', state: 'creating' },
      });
      // a grant that was named for another account is not kept
      expect(
        await ledger.checkout.create(checkout(4, { accountId: 'acct-4', grantId: 'grt_1' })),
      ).toMatchObject({ kind: 'created', checkout: { grantId: null } });
    });

    test('two first purchases of one account get a grant each, and no money is lost (P5.3, P5.8)', async () => {
      await ledger.checkout.create(checkout(1, { createdMs: now() - 3_600_001 }));
      await ledger.checkout.create(checkout(2));
      expect(await ledger.checkout.apply(event('evt_2', paid(2)))).toBe('credited');
      expect(await ledger.checkout.apply(event('evt_1', paid(1)))).toBe('credited');
      const { checkoutId } = checkout(1);
      expect(await ledger.checkout.find(checkoutId)).toMatchObject({
        checkout: { state: 'paid', grantId: 'grt_1', accountId: 'acct-1' },
        grant: { budgetMicro: 10_000_000, accountId: `acct-1#${checkoutId}` },
      });
      expect(await ledger.grants.find('grt_2')).toMatchObject({
        budgetMicro: 10_000_000,
        accountId: 'acct-1',
      });
    });

    test('a purchase for a grant that has ended since starts a new one (P5.8)', async () => {
      await ledger.checkout.create(checkout(1));
      await ledger.checkout.apply(event('evt_1', paid(1)));
      for (const n of [2, 3]) {
        const createdMs = n === 2 ? now() - 3_600_001 : now();
        await ledger.checkout.create(
          checkout(n, { grantId: 'grt_1', creditMicro: 5_000_000, chargeMinor: 500, createdMs }),
        );
      }
      await ledger.grants.revoke({ grantId: 'grt_1', as: operator, atMs: now() });
      for (const n of [2, 3])
        expect(await ledger.checkout.apply(event(`evt_${n}`, paid(n, { amountMinor: 500 })))).toBe(
          'credited',
        );
      const grants = await Promise.all(['grt_1', 'grt_2', 'grt_3'].map((id) => ledger.grants.find(id)));
      expect(grants.map((grant) => [grant?.budgetMicro, grant?.accountId])).toEqual([
        [10_000_000, 'acct-1'],
        [5_000_000, 'acct-1'],
        [5_000_000, `acct-1#${checkout(3).checkoutId}`],
      ]);
    });

    test('a refund or dispute of a purchase that was never credited leaves the grant it was meant for (P5.9)', async () => {
      await ledger.checkout.create(checkout(1));
      await ledger.checkout.apply(event('evt_1', paid(1)));
      await ledger.checkout.create(checkout(2, { grantId: 'grt_1' }));
      const { checkoutId } = checkout(2);
      await ledger.checkout.apply(event('evt_2', { kind: 'expired', checkoutId }));
      for (const effect of [
        { kind: 'refunded', checkoutId, refundedMicro: 10_000_000 },
        { kind: 'disputed', checkoutId },
      ] as const)
        expect(await ledger.checkout.apply(event(effect.kind, effect))).toBe('ignored');
      expect(await ledger.grants.find('grt_1')).toMatchObject({ budgetMicro: 10_000_000, status: 'active' });
    });

    test.each([
      ['amount', paid(1, { amountMinor: 999 })],
      ['currency', paid(1, { currency: 'eur' })],
      ['mode', paid(1, { modeMatches: false })],
      ['checkout', paid(7)],
    ])('another %s credits nothing (S26)', async (_name, effect) => {
      await ledger.checkout.create(checkout(1));
      expect(await ledger.checkout.apply(event('evt_1', effect))).toBe('mismatch');
      expect(await ledger.grants.list()).toEqual([]);
      expect((await ledger.checkout.find(checkout(1).checkoutId))?.checkout.state).toBe('creating');
    });

    test('a notification is remembered for 400 days, so that its repeat credits nothing meanwhile (P8.62)', async () => {
      const receivedMs = Date.now() - 400 * 86_400_000;
      const old = { ...event('evt_1', { kind: 'none' }), receivedMs: receivedMs - 1 };
      const younger = { ...event('evt_2', { kind: 'none' }), receivedMs: receivedMs + 60_000 };
      for (const one of [old, younger]) await ledger.checkout.apply(one);
      expect(await ledger.sweep()).toMatchObject({ webhooksDeleted: 1 });
      expect(await ledger.checkout.apply(younger)).toBe('duplicate');
      expect(await ledger.checkout.apply(old)).toBe('ignored');
    });

    test('a refund lowers the budget to no less than spent and held, a dispute suspends (P5.9)', async () => {
      const { checkoutId } = checkout(1);
      await ledger.checkout.create(checkout(1));
      await ledger.checkout.apply(event('evt_1', paid(1)));
      await running.run("UPDATE grants SET spent_micro = 4000000 WHERE grant_id = 'grt_1'");
      expect(await ledger.checkout.apply(event('evt_2', { kind: 'disputed', checkoutId }))).toBe('suspended');
      expect(
        await ledger.checkout.apply(
          event('evt_3', { kind: 'refunded', checkoutId, refundedMicro: 10_000_000 }),
        ),
      ).toBe('refunded');
      expect(await ledger.grants.find('grt_1')).toMatchObject({
        budgetMicro: 4_000_000,
        status: 'suspended',
      });
      const actors = (await ledger.grants.events('grt_1')).map((e) => `${e.kind} ${e.actor}`);
      expect(actors).toEqual([
        'credit operator:checkout',
        'status operator:checkout',
        'refund operator:checkout',
      ]);
    });

    test('refunds in parts lower the budget by what they come to in all, in any order (P5.9)', async () => {
      const { checkoutId } = checkout(1);
      await ledger.checkout.create(checkout(1));
      await ledger.checkout.apply(event('evt_1', paid(1)));
      const refund = async (id: string, refundedMicro: number) => [
        await ledger.checkout.apply(event(id, { kind: 'refunded', checkoutId, refundedMicro })),
        (await ledger.grants.find('grt_1'))?.budgetMicro,
      ];
      expect(await refund('evt_2', 3_000_000)).toEqual(['refunded', 7_000_000]);
      expect(await refund('evt_3', 8_000_000)).toEqual(['refunded', 2_000_000]);
      expect(await refund('evt_4', 5_000_000)).toEqual(['ignored', 2_000_000]);
      expect(await refund('evt_5', 10_000_000)).toEqual(['refunded', 0]);
      expect((await ledger.checkout.find(checkoutId))?.checkout.state).toBe('refunded');
    });

    test('a payment that arrives after its checkout was given up waits for an operator', async () => {
      const { checkoutId } = checkout(1);
      await ledger.checkout.create(checkout(1));
      expect(await ledger.checkout.apply(event('evt_1', { kind: 'expired', checkoutId }))).toBe('closed');
      expect(await ledger.checkout.apply(event('evt_2', paid(1)))).toBe('mismatch');
    });
  });
}
