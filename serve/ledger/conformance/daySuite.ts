import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../ledger.ts';
import type { ExportRow } from '../port/books.ts';
import type { LedgerDay } from '../port/day.ts';
import { shownRows } from '../port/figures.ts';
import {
  exampleClaim,
  exampleGrant,
  exampleHold,
  exampleSession,
  exampleShadow,
  exampleTransition,
  operator,
  payerOf,
  sha256,
} from './examples.ts';
import type { LedgerUnderTest, RunningLedger } from './underTest.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** A day of the books for the operator's report (P8.41), for every adapter. */
export function daySuite(adapter: LedgerUnderTest): void {
  let running: RunningLedger;
  let ledger: Ledger;
  // holds and answers in shadow mode are of now: the day is wide enough for a midnight on the way
  const nowMs = Date.now();
  const fromMs = nowMs - (nowMs % dayMs);
  const range = { fromMs, toMs: fromMs + 2 * dayMs };
  const day = (): Promise<LedgerDay> => ledger.day({ ...range, nowMs });
  const idOf = (n: number): string => exampleClaim(n).receipt.receiptId;
  beforeEach(async () => {
    running = await adapter.start();
    ledger = running.ledger;
  });
  afterEach(() => running.stop());

  async function settle(n: number, atMs = nowMs): Promise<void> {
    await ledger.claim(exampleClaim(n, { atMs, amountMicro: 40_000 + n }));
    await ledger.transition(exampleTransition(n, 'settled', { atMs }));
  }

  async function queue(n: number, payer: string, atMs: number): Promise<void> {
    await ledger.claim(
      exampleClaim(n, { atMs, payer, provider: 'gateway_batched', amountMicro: 10_000 * n }),
    );
    const set = { gatewayTransferId: `transfer-${n}` };
    await ledger.transition(exampleTransition(n, 'queued_for_batch', { from: 'authorized', set, atMs }));
  }

  describe(`${adapter.name}: a day of the books`, () => {
    test('an empty ledger has one too', async () => {
      const none = { total: 0, rows: [] };
      expect(await day()).toMatchObject({
        receipts: [],
        routes: [],
        stuck: { count: 0, micro: 0 },
        pastReplay: { count: 0, micro: 0 },
        overdue: none,
        review: none,
        queued: none,
        watched: none,
        corrections: none,
        checkouts: [],
        webhooks: [],
        keys: [],
      });
    });

    test('adds up to the export of the same range, to the micro-USD, by settlement and by route', async () => {
      const grant = exampleGrant(1);
      await ledger.grants.create({ grant, as: operator, atMs: nowMs });
      await ledger.grants.mintSession({ session: exampleSession(grant), nonce: null });
      for (const n of [1, 2, 3]) await settle(n);
      await settle(4, fromMs - 1);
      await settle(5, range.toMs);
      await ledger.claim(exampleClaim(6, { atMs: nowMs }));
      await ledger.transition(exampleTransition(6, 'failed', { atMs: nowMs }));
      await queue(7, payerOf(7), nowMs);
      const set = { refundReference: 'bank 7', refundedMicro: 7 };
      await ledger.transition(
        exampleTransition(2, 'refunded', { from: 'settled', actor: operator, set, atMs: nowMs }),
      );
      for (const n of [11, 12]) await ledger.hold(exampleHold(n, grant.grantId));
      await ledger.endHold(exampleHold(11, grant.grantId).debitId, 'debited');
      const idem = {
        key: 'order-0000001',
        holder: 'shadow',
        fingerprint: sha256('x'),
        expiresMs: nowMs + dayMs,
      };
      await ledger.insertNotCharged(exampleShadow(22), idem);

      const found = await day();
      const exported: ExportRow[] = [];
      for await (const row of ledger.export(range)) exported.push(row);
      expect(exported).toHaveLength(8);
      const sumsOf = (rows: readonly ExportRow[]) => ({
        count: rows.length,
        quotedMicro: rows.reduce((sum, row) => sum + row.quotedMicro, 0),
        chargedMicro: rows.reduce((sum, row) => sum + row.chargedMicro, 0),
        refundedMicro: rows.reduce((sum, row) => sum + row.refundedMicro, 0),
        grantDebitMicro: rows.reduce((sum, row) => sum + row.grantDebitMicro, 0),
      });
      const groups = Map.groupBy(exported, (row) => `${row.settlementMode} ${row.chargeStatus}`);
      expect(found.receipts).toHaveLength(groups.size);
      for (const { mode, status, ...sums } of found.receipts)
        expect(sums, `${mode} ${status}`).toEqual(sumsOf(groups.get(`${mode} ${status}`) ?? []));
      expect(found.routes).toEqual([
        { routeId: 'R11', routeUri: 'GET /v1/covenant-stress/{ticker}', ...sumsOf(exported) },
      ]);
      // worked out: 40001 + 40002 + 40003 settled, 70000 queued; 40000 of a grant
      expect(sumsOf(exported)).toMatchObject({
        chargedMicro: 190_006,
        refundedMicro: 7,
        grantDebitMicro: 40_000,
      });
      expect(found.corrections).toEqual({
        total: 1,
        rows: [
          {
            receiptId: idOf(2),
            from: 'settled',
            to: 'refunded',
            actor: operator,
            reason: 'test',
            externalRef: null,
            chargedMicro: 40_002,
            refundedMicro: 7,
            atMs: nowMs,
          },
        ],
      });
    });

    test('tells what is open: stuck, never delivered for a day or a week, disputed, queued by payer', async () => {
      await ledger.claim(exampleClaim(1, { atMs: nowMs - hourMs }));
      await ledger.claim(exampleClaim(2, { atMs: nowMs - hourMs + 1 }));
      const never = [...Array(shownRows + 2).keys()].map((n) => 100 + n);
      for (const n of never) await settle(n, nowMs - dayMs - n);
      await settle(3, nowMs - 8 * dayMs);
      await settle(4, nowMs - hourMs);
      for (const n of [...never, 3, 4]) ledger.delivered(idOf(n), 'undelivered');
      await settle(5);
      await ledger.transition(
        exampleTransition(5, 'disputed', { from: 'settled', actor: operator, set: {}, atMs: nowMs }),
      );
      await queue(6, payerOf(6), nowMs - 3 * dayMs);
      await queue(7, payerOf(6), nowMs);
      await queue(8, payerOf(8), nowMs);
      while ((await day()).overdue.total < never.length || (await day()).pastReplay.count < 1)
        await new Promise((resolve) => setImmediate(resolve));

      const found = await day();
      expect(found.stuck).toEqual({ count: 1, micro: 100_000 });
      expect(found.overdue.total).toBe(never.length);
      expect(found.overdue.total).toBe(found.figures.undelivered.overdue);
      expect(found.overdue.rows).toHaveLength(shownRows);
      // the oldest first: the last of them was made the longest ago
      expect(found.overdue.rows[0]).toEqual({
        receiptId: idOf(never.at(-1) ?? 0),
        mode: 'x402_direct',
        chargedMicro: 40_000 + (never.at(-1) ?? 0),
        routeUri: 'GET /v1/covenant-stress/{ticker}',
        payerIdentity: `eip155:8453:${payerOf(never.at(-1) ?? 0)}`,
        createdMs: nowMs - dayMs - (never.at(-1) ?? 0),
      });
      expect(found.pastReplay).toEqual({ count: 1, micro: 40_003 });
      expect(found.review).toEqual({
        total: 1,
        rows: [{ receiptId: idOf(5), why: 'disputed', chargedMicro: 40_005, updatedMs: nowMs }],
      });
      expect(found.queued).toEqual({
        total: 2,
        rows: [
          {
            payerIdentity: `eip155:8453:${payerOf(6)}`,
            count: 2,
            micro: 130_000,
            oldestMs: nowMs - 3 * dayMs,
          },
          { payerIdentity: `eip155:8453:${payerOf(8)}`, count: 1, micro: 80_000, oldestMs: nowMs },
        ],
      });
    });

    test('tells what changed: keys, the watch list, checkouts and what came of card events', async () => {
      const key = (keyId: string, createdMs: number, expiresMs: number | null) =>
        ledger.keys.create({
          keyId,
          salt: new Uint8Array(16),
          secretHash: new Uint8Array(32),
          label: 'desk',
          scopes: ['rest'],
          createdMs,
          createdBy: operator,
          expiresMs,
          replaces: null,
        });
      await key('AAAAAAAAAA', fromMs - 1, nowMs + 7 * dayMs);
      await key('BBBBBBBBBB', nowMs, nowMs + 8 * dayMs);
      await ledger.keys.revoke({ keyId: 'BBBBBBBBBB', as: 'operator:eve', atMs: nowMs });
      const listed = { payer: payerOf(1), provider: 'gateway_batched', reason: 'batch failed' } as const;
      await ledger.watchlist.add({ ...listed, receiptId: 'rcpt_1', addedMs: nowMs });
      await ledger.watchlist.add({ ...listed, payer: payerOf(2), receiptId: null, addedMs: fromMs - 1 });
      const checkout = {
        checkoutId: 'chk_1',
        provider: 'stripe',
        idempotencyKey: 'order-0000001',
        accountId: 'ada@example.com',
        wallet: null,
        creditMicro: 10_000_000,
        chargeMinor: 1000,
        currency: 'usd',
        grantId: null,
        pickupHash: sha256('pickup'),
        createdMs: nowMs,
        maxRemainingMicro: 25_000_000,
      };
      expect((await ledger.checkout.create(checkout)).kind).toBe('created');
      const paid = {
        kind: 'paid',
        checkoutId: 'chk_1',
        currency: 'usd',
        modeMatches: true,
        newGrantId: 'grt_card',
        routes: ['GET /v1/readiness'],
        minPriceMicro: 20_000,
        expiresMs: nowMs + 30 * dayMs,
      } as const;
      const event = {
        provider: 'stripe',
        type: 'checkout.session.completed',
        bodySha256: sha256('b'),
      } as const;
      for (const [eventId, amountMinor] of [
        ['evt_1', 999],
        ['evt_2', 1000],
      ] as const)
        await ledger.checkout.apply({
          ...event,
          eventId,
          receivedMs: nowMs,
          effect: { ...paid, amountMinor },
        });

      const found = await day();
      expect(found.keys).toEqual([
        { keyId: 'BBBBBBBBBB', label: 'desk', what: 'created', by: operator, atMs: nowMs },
        { keyId: 'BBBBBBBBBB', label: 'desk', what: 'revoked', by: 'operator:eve', atMs: nowMs },
        { keyId: 'AAAAAAAAAA', label: 'desk', what: 'expiring', by: operator, atMs: nowMs + 7 * dayMs },
      ]);
      expect(found.watched).toEqual({
        total: 1,
        rows: [{ ...listed, receiptId: 'rcpt_1', addedMs: nowMs, cleared: false }],
      });
      expect(found.checkouts).toEqual([{ state: 'paid', count: 1, creditMicro: 10_000_000 }]);
      expect(found.webhooks).toEqual([
        { result: 'credited', count: 1 },
        { result: 'mismatch', count: 1 },
      ]);
    });
  });
}
