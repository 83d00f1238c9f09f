import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../ledger.ts';
import { shownRows } from '../port/figures.ts';
import {
  exampleClaim,
  exampleGrant,
  exampleHold,
  exampleSession,
  exampleShadow,
  exampleTransition,
  operator,
} from './examples.ts';
import type { LedgerUnderTest, RunningLedger } from './underTest.ts';

const dayMs = 86_400_000;

/** Figures of the operations page (I5.51, P9.14), for every adapter. */
export function figuresSuite(adapter: LedgerUnderTest): void {
  let running: RunningLedger;
  let ledger: Ledger;
  beforeEach(async () => {
    running = await adapter.start();
    ledger = running.ledger;
  });
  afterEach(() => running.stop());
  // noon, so that an hour ago is today
  const nowMs = Date.now() - (Date.now() % dayMs) + dayMs / 2;
  const figures = () => ledger.figures({ nowMs, withinMs: 30_000 });

  describe(`${adapter.name}: the figures of the operations page`, () => {
    test('an empty ledger has figures too', async () => {
      expect(await figures()).toEqual({
        receipts: [],
        unresolved: 0,
        openPayments: [],
        queued: { count: 0, micro: 0 },
        undelivered: { count: 0, micro: 0, overdue: 0 },
        jobs: [],
        oldestJobMs: null,
        endingBudgets: [],
      });
    });

    test('receipts count by mode and state, today and within seven days, and no longer', async () => {
      const settled = async (n: number, atMs: number): Promise<void> => {
        await ledger.claim(exampleClaim(n, { atMs }));
        await ledger.transition(exampleTransition(n, 'settled', { atMs }));
      };
      await settled(1, nowMs - 3_600_000);
      await settled(2, nowMs - 3 * dayMs);
      await settled(3, nowMs - 8 * dayMs);
      await ledger.claim(exampleClaim(4, { atMs: nowMs - 1000, amountMicro: 70_000 }));
      await ledger.claim(exampleClaim(5, { atMs: nowMs - 2000, provider: 'gateway_batched' }));
      await ledger.transition(
        exampleTransition(5, 'queued_for_batch', {
          from: 'authorized',
          set: { gatewayTransferId: 'transfer-5' },
        }),
      );
      const found = await figures();
      expect(found.receipts).toEqual([
        {
          mode: 'gateway_batched',
          status: 'queued_for_batch',
          today: 1,
          todayMicro: 100_000,
          week: 1,
          weekMicro: 100_000,
        },
        {
          mode: 'x402_direct',
          status: 'settled',
          today: 1,
          todayMicro: 100_000,
          week: 2,
          weekMicro: 200_000,
        },
        { mode: 'x402_direct', status: 'submitted', today: 1, todayMicro: 0, week: 1, weekMicro: 0 },
      ]);
      expect(found).toMatchObject({ unresolved: 1, queued: { count: 1, micro: 100_000 } });
      expect(found.openPayments).toEqual([
        {
          receiptId: exampleClaim(4).receipt.receiptId,
          provider: 'x402_exact',
          phase: 'calling',
          amountMicro: 70_000,
          refusal: null,
          checks: 0,
          createdMs: nowMs - 1000,
        },
      ]);
    });

    test('what was settled and never delivered is counted with its money, and for how long (I3.8, P8.41)', async () => {
      for (const [n, agoMs] of [
        [1, 5000],
        [3, dayMs],
        [4, 8 * dayMs],
      ] as const) {
        await ledger.claim(exampleClaim(n, { atMs: nowMs - agoMs }));
        await ledger.transition(exampleTransition(n, 'settled'));
        ledger.delivered(exampleClaim(n).receipt.receiptId, 'undelivered');
      }
      ledger.noteNotCharged({ ...exampleShadow(2), createdMs: nowMs - 5000 });
      ledger.delivered(exampleShadow(2).receiptId, 'undelivered');
      while ((await figures()).receipts.length < 2 || (await figures()).undelivered.count < 2)
        await new Promise((resolve) => setImmediate(resolve));
      expect((await figures()).undelivered).toEqual({ count: 2, micro: 200_000, overdue: 1 });
    });

    test('jobs that have not ended are counted by state, with the age of the oldest (P9.14)', async () => {
      const job = {
        kind: 'evm_exact',
        payload: new Uint8Array(8),
        notBeforeMs: 0,
        deadlineMs: nowMs + dayMs,
      } as const;
      await ledger.claim(exampleClaim(1, { atMs: nowMs - 9000, job }));
      await ledger.claim(exampleClaim(2, { atMs: nowMs - 4000, job }));
      await ledger.jobs.take({ owner: 'settler', leaseMs: 30_000, limit: 1 });
      const found = await figures();
      expect(found.jobs).toEqual([
        { state: 'leased', count: 1 },
        { state: 'queued', count: 1 },
      ]);
      expect(found.oldestJobMs).toBe(nowMs - 9000);
    });

    test('budgets below a tenth or in their last week come first to run out first', async () => {
      const open = async (n: number, o: { budgetMicro?: number; expiresMs: number }): Promise<string> => {
        const grant = exampleGrant(n, o);
        await ledger.grants.create({ grant, as: operator, atMs: nowMs });
        await ledger.grants.mintSession({ session: exampleSession(grant), nonce: null });
        return grant.grantId;
      };
      const later = nowMs + 30 * dayMs;
      const spent = await open(1, { budgetMicro: 42_000, expiresMs: later });
      await ledger.hold(exampleHold(11, spent));
      const ending = await open(2, { expiresMs: nowMs + 3 * dayMs });
      await open(3, { expiresMs: later });
      const revoked = await open(4, { expiresMs: nowMs + dayMs });
      await ledger.grants.revoke({ grantId: revoked, as: operator, atMs: nowMs });
      const found = (await figures()).endingBudgets;
      expect(found.map((budget) => [budget.grantId, budget.remainingMicro, budget.budgetMicro])).toEqual([
        [spent, 2000, 42_000],
        [ending, 100_000, 100_000],
      ]);
    });

    test('lists are bounded, counts are not', async () => {
      for (let n = 1; n <= shownRows + 5; n += 1) await ledger.claim(exampleClaim(n, { atMs: nowMs - n }));
      const found = await figures();
      expect(found.unresolved).toBe(shownRows + 5);
      expect(found.openPayments).toHaveLength(shownRows);
    });
  });
}
