import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../ledger.ts';
import { replayWindowMs } from '../receipt.ts';
import { exampleClaim, exampleTransition, hashOf, operator, payerOf, sha256 } from './examples.ts';
import type { LedgerUnderTest, RunningLedger } from './underTest.ts';

/** Claims, transitions and replays (PAYMENTS 8.D to 8.F), for every adapter. */
export function claimSuite(adapter: LedgerUnderTest): void {
  let running: RunningLedger;
  let ledger: Ledger;
  beforeEach(async () => {
    running = await adapter.start();
    ledger = running.ledger;
  });
  afterEach(() => running.stop());

  const steps = async (n: number) =>
    (await ledger.journal(exampleClaim(n).receipt.receiptId)).map((e) => `${e.from}>${e.to} ${e.actor}`);

  describe(`${adapter.name}: the claim`, () => {
    test('writes T2 and T3 with the payment in phase calling (P8.22)', async () => {
      const claim = exampleClaim(1);
      const result = await ledger.claim(claim);
      const stored = await ledger.findClaim(claim.claimKey);
      expect(result).toEqual({ won: true, receipt: stored?.receipt });
      expect(stored?.receipt).toMatchObject({
        chargeStatus: 'submitted',
        chargedMicro: 0,
        quotedMicro: 100_000,
      });
      expect(stored?.payment).toMatchObject({
        phase: 'calling',
        validBefore: claim.validBefore,
        nextCheckMs: claim.ownerUntilMs,
        finality: 'none',
      });
      expect(await steps(1)).toEqual(['>authorized handler', 'authorized>submitted handler']);
    });

    test('sets the hand-over mark of the gateway, a journal row of equal states (I3.6, P8.26)', async () => {
      const claim = exampleClaim(1, { provider: 'gateway_batched' });
      const result = await ledger.claim(claim);
      const stored = await ledger.findClaim(claim.claimKey);
      expect(result).toEqual({ won: true, receipt: stored?.receipt });
      expect(stored?.receipt.handoffMs).toBe(claim.receipt.createdMs);
      expect(await steps(1)).toEqual(['>authorized handler', 'authorized>authorized handler']);
      expect((await ledger.journal(claim.receipt.receiptId))[1]?.reason).toBe('handoff');
    });

    test('fifty at once with one authorization, on two servers: one wins, the others see its row (S2, X22)', async () => {
      const other = await running.second();
      const key = sha256('one authorization');
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          (i % 2 === 0 ? ledger : other).claim(exampleClaim(i + 1, { claimKey: key, payer: payerOf(7) })),
        ),
      );
      const winners = results.filter((r) => r.won);
      expect(winners).toHaveLength(1);
      const won = winners[0]?.won === true ? winners[0].receipt.receiptId : '';
      for (const r of results) {
        if (!r.won) expect(r.conflict === null && r.receipt.receiptId).toBe(won);
      }
      expect(await running.run('SELECT count(*) AS n FROM receipts')).toHaveLength(1);
      expect((await ledger.check()).receipts).toBe(1);
    });

    test('tells a payment identifier in use from a known transaction (P8.22a, P8.33)', async () => {
      await ledger.claim(exampleClaim(1, { clientRef: 'pay_0123456789abcdef', payer: payerOf(9) }));
      expect(
        await ledger.claim(exampleClaim(2, { clientRef: 'pay_0123456789abcdef', payer: payerOf(9) })),
      ).toEqual({ won: false, conflict: 'client_ref' });
      // unique per payer only
      expect(
        await ledger.claim(exampleClaim(3, { clientRef: 'pay_0123456789abcdef', payer: payerOf(10) })),
      ).toMatchObject({ won: true });
      await ledger.claim(exampleClaim(4, { provider: 'mpp', txHash: hashOf(4) }));
      expect(await ledger.claim(exampleClaim(5, { provider: 'mpp', txHash: hashOf(4) }))).toEqual({
        won: false,
        conflict: 'tx_hash',
      });
      expect((await ledger.check()).payments).toBe(3);
    });

    test('keeps an end of validity beyond the years of its column', async () => {
      const claim = exampleClaim(1, { validBefore: 2n ** 200n });
      await ledger.claim(claim);
      expect((await ledger.findClaim(claim.claimKey))?.payment.validBefore).toBe(2n ** 63n - 1n);
    });
  });

  describe(`${adapter.name}: transitions`, () => {
    test('settle once: charged, settled time, replay window, phase accepted (T4, P8.27)', async () => {
      const claim = exampleClaim(1);
      await ledger.claim(claim);
      const atMs = claim.receipt.createdMs + 1500;
      const t4 = exampleTransition(1, 'settled', { atMs });
      expect(await Promise.all([ledger.transition(t4), ledger.transition(t4)])).toEqual(
        expect.arrayContaining([true, false]),
      );
      const found = await ledger.findClaim(claim.claimKey);
      expect(found?.payment).toMatchObject({ phase: 'accepted', txHash: hashOf(1), nextCheckMs: null });
      expect(found?.receipt).toMatchObject({
        chargeStatus: 'settled',
        chargedMicro: 100_000,
        settledMs: atMs,
        updatedMs: atMs,
        replayUntilMs: atMs + replayWindowMs,
        settlementTxHash: hashOf(1),
      });
      expect(await steps(1)).toEqual([
        '>authorized handler',
        'authorized>submitted handler',
        'submitted>settled handler',
      ]);
    });

    test('a queued transfer settles later, its replay window counts from T6 (T6, T7, I5.26)', async () => {
      const claim = exampleClaim(1, { provider: 'gateway_batched' });
      await ledger.claim(claim);
      const queuedMs = claim.receipt.createdMs + 10;
      await ledger.transition(
        exampleTransition(1, 'queued_for_batch', {
          from: 'authorized',
          atMs: queuedMs,
          set: { gatewayTransferId: 'b2d8…1', nextCheckMs: queuedMs + 30_000 },
        }),
      );
      expect((await ledger.findTransfer('b2d8…1'))?.receiptId).toBe(claim.receipt.receiptId);
      expect(await ledger.findTransfer('b2d8…2')).toBeNull();
      expect(await ledger.queuedExposure(claim.receipt.payerIdentity ?? '')).toEqual({
        payerMicro: 100_000,
        totalMicro: 100_000,
      });
      expect(await ledger.queuedExposure(`eip155:8453:${payerOf(99)}`)).toEqual({
        payerMicro: 0,
        totalMicro: 100_000,
      });
      await ledger.transition(
        exampleTransition(1, 'settled', {
          from: 'queued_for_batch',
          actor: 'reconciler',
          atMs: queuedMs + 60_000,
          set: { batchId: 'batch-7' },
        }),
      );
      expect(await ledger.findReceipt(claim.receipt.receiptId)).toMatchObject({
        chargeStatus: 'settled',
        batchId: 'batch-7',
        settledMs: queuedMs + 60_000,
        replayUntilMs: queuedMs + replayWindowMs,
      });
    });

    test('a transfer that fails later charges nothing (T8, X17)', async () => {
      const claim = exampleClaim(1, { provider: 'gateway_batched' });
      await ledger.claim(claim);
      await ledger.transition(
        exampleTransition(1, 'queued_for_batch', {
          from: 'authorized',
          set: { gatewayTransferId: 'b2d8…2' },
        }),
      );
      const failed = exampleTransition(1, 'failed', { from: 'queued_for_batch', actor: 'reconciler' });
      expect(await ledger.transition(failed)).toBe(true);
      expect(await ledger.findClaim(claim.claimKey)).toMatchObject({
        payment: { phase: 'refused', refusal: 'insufficient_funds' },
        receipt: { chargeStatus: 'failed', chargedMicro: 0 },
      });
    });

    test('the operator refunds and decides disputes (T10–T13)', async () => {
      for (const n of [1, 2]) {
        await ledger.claim(exampleClaim(n));
        await ledger.transition(exampleTransition(n, 'settled'));
      }
      const by = { actor: operator, from: 'settled' } as const;
      expect(
        await ledger.transition(
          exampleTransition(1, 'refunded', {
            ...by,
            set: { refundReference: 'bank 7', refundedMicro: 60_000 },
          }),
        ),
      ).toBe(true);
      await ledger.transition(exampleTransition(2, 'disputed', { ...by, set: {} }));
      await ledger.transition(
        exampleTransition(2, 'settled', { actor: operator, from: 'disputed', set: {} }),
      );
      expect(await ledger.findReceipt(exampleClaim(1).receipt.receiptId)).toMatchObject({
        chargeStatus: 'refunded',
        chargedMicro: 100_000,
        refundedMicro: 60_000,
        refundReference: 'bank 7',
      });
      expect((await steps(2)).slice(2)).toEqual([
        'submitted>settled handler',
        `settled>disputed ${operator}`,
        `disputed>settled ${operator}`,
      ]);
      expect((await ledger.check()).problems).toEqual([]);
    });

    test.each([
      ['a refund without reference', 'settled', 'refunded', operator, { refundedMicro: 1 }],
      [
        'a handler that refunds',
        'settled',
        'refunded',
        'handler',
        { refundReference: 'x', refundedMicro: 1 },
      ],
      ['a way back from settled', 'settled', 'failed', 'recovery', { failureReason: 'x' }],
      ['a settlement without hash', 'submitted', 'settled', 'handler', {}],
      ['a failure without reason', 'submitted', 'failed', 'handler', {}],
      ['a step only the gateway has', 'submitted', 'queued_for_batch', 'handler', { gatewayTransferId: 'x' }],
      [
        'a reconciler that settles what was submitted',
        'submitted',
        'settled',
        'reconciler',
        { settlementTxHash: hashOf(3) },
      ],
    ] as const)('the database refuses %s (P8.25, S11)', async (_name, from, to, actor, set) => {
      await ledger.claim(exampleClaim(1));
      if (from === 'settled') await ledger.transition(exampleTransition(1, 'settled'));
      await expect(ledger.transition(exampleTransition(1, to, { from, actor, set }))).rejects.toThrow();
      expect((await ledger.findReceipt(exampleClaim(1).receipt.receiptId))?.chargeStatus).toBe(from);
      expect((await ledger.check()).problems).toEqual([]);
    });

    test.each([
      "UPDATE receipts SET charge_status = 'settled', charged_micro = quoted_micro, settlement_tx_hash = '0x1', actor = 'operator:x'",
      'UPDATE receipts SET quoted_micro = 1',
      "UPDATE receipts SET payer_identity = 'somebody else'",
      'DELETE FROM receipts',
      'DELETE FROM receipt_events',
      "UPDATE receipt_events SET actor = 'handler'",
      'DELETE FROM payments',
      "UPDATE payments SET phase = 'claimed'",
      'UPDATE payments SET amount_micro = 1',
    ])('hand-written %s is refused (S11)', async (sql) => {
      await ledger.claim(exampleClaim(1));
      await expect(running.run(sql)).rejects.toThrow();
      expect((await ledger.check()).problems).toEqual([]);
    });
  });
}
