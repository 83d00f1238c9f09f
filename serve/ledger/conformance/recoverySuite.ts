import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../ledger.ts';
import { replayWindowMs } from '../receipt.ts';
import { exampleClaim, exampleTransition, hashOf, payerOf, sha256 } from './examples.ts';
import type { LedgerUnderTest, RunningLedger } from './underTest.ts';

/** What is handed over is durable soon; until then the loop turns. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** What calls and crashes leave open, and who looks at it (PAYMENTS 8.G, P2.46), for every adapter. */
export function recoverySuite(adapter: LedgerUnderTest): void {
  let running: RunningLedger;
  let ledger: Ledger;
  beforeEach(async () => {
    running = await adapter.start();
    ledger = running.ledger;
  });
  afterEach(() => running.stop());

  describe(`${adapter.name}: unknown outcomes and recovery`, () => {
    test('an unknown outcome leaves the receipt and is found by the worker once (P8.28, P8.40)', async () => {
      const past = Date.now() - 60_000;
      const claim = exampleClaim(1, { atMs: past });
      await ledger.claim(claim);
      await ledger.noteTx(claim.claimKey, hashOf(1));
      const unknown = {
        claimKey: claim.claimKey,
        txHash: null,
        refusal: 'timeout',
        nextCheckMs: past,
        atMs: past,
      };
      expect(await ledger.noteUnknown(unknown)).toBe(true);
      expect(await ledger.noteUnknown(unknown)).toBe(false);
      const other = await running.second();
      const taken = await Promise.all(
        [ledger, other].map((l, i) =>
          l.takeDue({ kind: 'recovery', owner: `w${i}`, leaseMs: 30_000, limit: 50 }),
        ),
      );
      expect(taken.flat()).toHaveLength(1);
      expect(taken.flat()[0]?.payment).toMatchObject({
        phase: 'unknown',
        txHash: hashOf(1),
        refusal: 'timeout',
      });
      const owner = taken.flat()[0]?.payment.owner ?? '';
      const note = { claimKey: claim.claimKey, nextCheckMs: past + 5000, atMs: Date.now() };
      expect(await ledger.noteCheck({ ...note, owner: 'somebody' })).toBe(false);
      expect(await ledger.noteCheck({ ...note, owner })).toBe(true);
      const again = await other.takeDue({ kind: 'recovery', owner: 'w9', leaseMs: 30_000, limit: 50 });
      expect(again[0]?.payment).toMatchObject({ checks: 1, owner: 'w9' });
      // a settlement by recovery has not reached the client (I3.8)
      await ledger.transition(
        exampleTransition(1, 'settled', {
          actor: 'recovery',
          set: { settlementTxHash: hashOf(1), addFlag: 'recovered' },
        }),
      );
      expect(await ledger.findReceipt(claim.receipt.receiptId)).toMatchObject({
        delivery: 'undelivered',
        qualityFlags: ['recovered'],
      });
    });

    test('a live handler keeps its claim as long as it renews (P8.40)', async () => {
      const past = Date.now() - 60_000;
      const claim = exampleClaim(1, { atMs: past });
      await ledger.claim(claim);
      ledger.renew({ claimKeys: [claim.claimKey], owner: claim.owner, ownerUntilMs: Date.now() + 30_000 });
      const until = async () => (await ledger.findClaim(claim.claimKey))?.payment.ownerUntilMs ?? 0;
      while ((await until()) < Date.now()) await turn();
      const second = exampleClaim(2, { atMs: past });
      await ledger.claim(second);
      const due = await ledger.takeDue({ kind: 'recovery', owner: 'w', leaseMs: 1, limit: 50 });
      expect(due.map((d) => d.receipt.receiptId)).toEqual([second.receipt.receiptId]);
    });

    test('reconcile looks at queued transfers and open finality, not at open claims (P8.41)', async () => {
      const past = Date.now() - 60_000;
      await ledger.claim(exampleClaim(1, { atMs: past }));
      await ledger.claim(exampleClaim(2, { atMs: past }));
      await ledger.transition(
        exampleTransition(2, 'settled', {
          set: { settlementTxHash: hashOf(2), finality: 'included', blockNumber: 7, nextCheckMs: past },
        }),
      );
      const due = await ledger.takeDue({ kind: 'reconcile', owner: 'w', leaseMs: 1, limit: 50 });
      expect(due.map((d) => d.payment)).toEqual([
        expect.objectContaining({
          receiptId: exampleClaim(2).receipt.receiptId,
          finality: 'included',
          blockNumber: 7,
        }),
      ]);
    });

    test('a look at a queued transfer may tell its batch, and moves nothing (P3.8)', async () => {
      const claim = exampleClaim(1, { provider: 'gateway_batched', atMs: Date.now() - 60_000 });
      await ledger.claim(claim);
      const set = { gatewayTransferId: 'b2d8…1', nextCheckMs: Date.now() - 1 };
      await ledger.transition(exampleTransition(1, 'queued_for_batch', { from: 'authorized', set }));
      const { receiptId } = claim.receipt;
      const before = await ledger.findReceipt(receiptId);
      await ledger.takeDue({ kind: 'reconcile', owner: 'a', leaseMs: 30_000, limit: 50 });
      const note = { claimKey: claim.claimKey, nextCheckMs: null, atMs: Date.now() };
      expect(await ledger.noteCheck({ ...note, owner: 'b', batchId: 'batch-8' })).toBe(false);
      expect(await ledger.findReceipt(receiptId)).toEqual(before);
      expect(await ledger.noteCheck({ ...note, owner: 'a', batchId: 'batch-9' })).toBe(true);
      expect(await ledger.findReceipt(receiptId)).toEqual({ ...before, batchId: 'batch-9' });
    });

    test('a look that comes too late revives nothing of a promise somebody else ended (T8)', async () => {
      const claim = exampleClaim(1, { provider: 'gateway_batched', atMs: Date.now() - 60_000 });
      await ledger.claim(claim);
      const set = { gatewayTransferId: 'b2d8…1', nextCheckMs: Date.now() - 1 };
      await ledger.transition(exampleTransition(1, 'queued_for_batch', { from: 'authorized', set }));
      await ledger.takeDue({ kind: 'reconcile', owner: 'a', leaseMs: 30_000, limit: 50 });
      const end = { failureReason: 'gateway_failed', nextCheckMs: null };
      await ledger.transition(
        exampleTransition(1, 'failed', { from: 'queued_for_batch', actor: 'reconciler', set: end }),
      );
      const atMs = Date.now();
      const note = { claimKey: claim.claimKey, owner: 'a', atMs, nextCheckMs: atMs + 30_000 };
      expect(await ledger.noteCheck(note)).toBe(true);
      expect((await ledger.findClaim(claim.claimKey))?.payment).toMatchObject({
        checks: 1,
        nextCheckMs: null,
      });
    });

    test('a settled transfer is looked at when it is due, while its handler still owns the claim (P8.54)', async () => {
      const claim = exampleClaim(1);
      await ledger.claim(claim);
      const set = { settlementTxHash: hashOf(1), finality: 'included', nextCheckMs: Date.now() - 1 } as const;
      await ledger.transition(exampleTransition(1, 'settled', { set }));
      const take = async (owner: string, leaseMs: number) =>
        (await ledger.takeDue({ kind: 'reconcile', owner, leaseMs, limit: 50 })).length;
      expect(await take('a', 30_000)).toBe(1);
      // leased: another worker leaves it alone until the lease is over
      expect(await take('b', -1)).toBe(0);
      const note = { claimKey: claim.claimKey, atMs: Date.now() };
      expect(await ledger.noteCheck({ ...note, owner: 'a', nextCheckMs: Date.now() - 1 })).toBe(true);
      expect(await take('b', -1)).toBe(1);
      expect(await ledger.noteCheck({ ...note, owner: 'a', nextCheckMs: null })).toBe(false);
      expect(await take('c', 30_000)).toBe(1);
      expect(await ledger.noteCheck({ ...note, owner: 'c', nextCheckMs: null })).toBe(true);
      // the guard still takes the answer for one that may arrive (P2.46)
      const guarded = { payer: payerOf(1), fingerprint: claim.fingerprint, sinceMs: 0 };
      expect(await ledger.findUndelivered(guarded)).toBeNull();
      expect((await ledger.findClaim(claim.claimKey))?.payment).toMatchObject({
        ownerUntilMs: claim.ownerUntilMs,
        checks: 2,
        nextCheckMs: null,
      });
    });

    test('a charged answer whose handler died before it ended is undelivered from then on (X38, X39)', async () => {
      const gone = { atMs: Date.now() - 60_000 };
      for (const n of [1, 2, 3]) await ledger.claim(exampleClaim(n, gone));
      await ledger.claim(exampleClaim(4));
      for (const n of [1, 2, 4]) await ledger.transition(exampleTransition(n, 'settled'));
      ledger.delivered(exampleClaim(2).receipt.receiptId, 'delivered');
      const states = () =>
        Promise.all(
          [1, 2, 3, 4].map(
            async (n) => (await ledger.findReceipt(exampleClaim(n).receipt.receiptId))?.delivery,
          ),
        );
      while ((await states())[1] !== 'delivered') await turn();
      expect(await ledger.sweep()).toMatchObject({ answersLost: 1 });
      // an open payment has no answer yet, and the last one has a living handler
      expect(await states()).toEqual(['undelivered', 'delivered', 'pending', 'pending']);
      expect(await ledger.sweep()).toMatchObject({ answersLost: 0 });
      expect((await ledger.check()).problems).toEqual([]);
    });
  });

  describe(`${adapter.name}: the double-payment guard's look-up (P2.46)`, () => {
    const question = (n: number) => ({
      payer: payerOf(n),
      fingerprint: exampleClaim(n).fingerprint,
      sinceMs: Date.now() - replayWindowMs,
    });
    const delivered = async (n: number, state: 'delivered' | 'undelivered') => {
      const { receiptId } = exampleClaim(n).receipt;
      ledger.delivered(receiptId, state);
      while ((await ledger.findReceipt(receiptId))?.delivery !== state) await turn();
    };

    test('finds a settled answer that never left, before an unknown one', async () => {
      const past = Date.now() - 60_000;
      await ledger.claim(exampleClaim(1, { atMs: past }));
      await ledger.claim(exampleClaim(2, { atMs: past + 5, payer: payerOf(1) }));
      await ledger.transition(exampleTransition(2, 'settled'));
      const found = await ledger.findUndelivered(question(1));
      expect(found?.receipt.receiptId).toBe(exampleClaim(2).receipt.receiptId);
      await delivered(2, 'delivered');
      expect((await ledger.findUndelivered(question(1)))?.receipt.chargeStatus).toBe('submitted');
    });

    test('leaves a live handler, another request, a failure and an old claim alone', async () => {
      await ledger.claim(exampleClaim(1));
      expect(await ledger.findUndelivered(question(1))).toBeNull();
      await delivered(1, 'undelivered');
      expect((await ledger.findUndelivered(question(1)))?.receipt.chargeStatus).toBe('submitted');
      expect(await ledger.findUndelivered({ ...question(1), fingerprint: sha256('other') })).toBeNull();
      expect(await ledger.findUndelivered({ ...question(1), sinceMs: Date.now() + 1000 })).toBeNull();
      await ledger.transition(exampleTransition(1, 'failed'));
      expect(await ledger.findUndelivered(question(1))).toBeNull();
    });
  });

  test(`${adapter.name}: a transition on one server is heard on the other (P8.18, P8.34)`, async () => {
    const heard = Promise.withResolvers<string>();
    ledger.onReceipt(heard.resolve);
    await ledger.claim(exampleClaim(1));
    await ledger.transition(exampleTransition(1, 'settled'));
    expect(await heard.promise).toBe(exampleClaim(1).receipt.receiptId);
  });
}
