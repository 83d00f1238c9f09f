import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../ledger.ts';
import type { ExportRow } from '../port/books.ts';
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

/** Export, check, keys and uncharged receipts (PAYMENTS 8.H, 6), for every adapter. */
export function booksSuite(adapter: LedgerUnderTest): void {
  let running: RunningLedger;
  let ledger: Ledger;
  beforeEach(async () => {
    running = await adapter.start();
    ledger = running.ledger;
  });
  afterEach(() => running.stop());
  const now = () => Date.now();

  async function exported(fromMs = 0, toMs = now() + 1000): Promise<ExportRow[]> {
    const rows: ExportRow[] = [];
    for await (const row of ledger.export({ fromMs, toMs })) rows.push(row);
    return rows;
  }

  async function someBooks(): Promise<string> {
    const grant = exampleGrant(1);
    await ledger.grants.create({ grant, as: operator, atMs: now() });
    await ledger.grants.mintSession({ session: exampleSession(grant), nonce: null });
    await ledger.claim(exampleClaim(1, { atMs: 1000 }));
    await ledger.transition(exampleTransition(1, 'settled', { atMs: 2000 }));
    await ledger.claim(exampleClaim(2, { atMs: 3000 }));
    await ledger.hold(exampleHold(3, grant.grantId));
    await ledger.endHold(exampleHold(3, grant.grantId).debitId, 'debited');
    await ledger.hold(exampleHold(4, grant.grantId));
    ledger.noteNotCharged(exampleShadow(5));
    ledger.delivered(exampleShadow(5).receiptId, 'delivered');
    return grant.grantId;
  }

  describe(`${adapter.name}: the books`, () => {
    test('the export joins receipts with payments and debits, in order of time and id (P8.60, I5.31)', async () => {
      const grantId = await someBooks();
      // takes the handed-over receipt along, or waits for it
      while ((await exported()).length < 5) await new Promise((resolve) => setImmediate(resolve));
      const rows = await exported();
      expect(rows.map((r) => r.createdMs)).toEqual(rows.map((r) => r.createdMs).sort((a, b) => a - b));
      expect(rows[0]).toMatchObject({
        chargeStatus: 'settled',
        provider: 'x402_exact',
        network: 'eip155:8453',
        chargedMicro: 100_000,
        settledMs: 2000,
        authorizationHash: Buffer.from(exampleClaim(1).claimKey).toString('hex'),
        grantProgram: null,
        grantDebitMicro: 0,
      });
      const debits = rows.filter((r) => r.grantId === grantId).map((r) => r.grantDebitMicro);
      expect(debits.sort()).toEqual([0, 40_000]);
      expect((await exported(1000, 3000)).map((r) => r.receiptId)).toEqual([
        exampleClaim(1).receipt.receiptId,
      ]);
    });

    test('the check counts what it saw and finds nothing (I5.33)', async () => {
      await someBooks();
      while ((await ledger.check()).receipts < 5) await new Promise((resolve) => setImmediate(resolve));
      expect(await ledger.check()).toEqual({
        receipts: 5,
        payments: 2,
        grants: 1,
        debits: 2,
        events: 8,
        chargedMicro: 100_000,
        problems: [],
      });
      const overview = await ledger.overview();
      expect(overview).toMatchObject({ unresolved: 1, undelivered: 0, jobs: [], oldestJobMs: null });
    });

    test('a payment accepted beside its receipt, a changed budget: the check names them (I5.33)', async () => {
      const grantId = await someBooks();
      await running.run(`UPDATE grants SET spent_micro = 1 WHERE grant_id = '${grantId}'`);
      await running.run(
        `UPDATE payments SET phase = 'accepted' WHERE receipt_id = '${exampleClaim(2).receipt.receiptId}'`,
      );
      const { problems } = await ledger.check();
      expect(problems.map((p) => `${p.rule} ${p.subject}`).sort()).toEqual([
        `budget_equals_debits ${grantId}`,
        `phase_matches_status ${exampleClaim(2).receipt.receiptId}`,
      ]);
    });

    test('uncharged receipts and their delivery states are durable after a close (P8.3)', async () => {
      const other = await running.second();
      for (let n = 1; n <= 30; n += 1) other.noteNotCharged(exampleShadow(n));
      for (let n = 1; n <= 30; n += 1) other.delivered(exampleShadow(n).receiptId, 'delivered');
      await other.close();
      const rows = await exported();
      expect(rows).toHaveLength(30);
      expect(new Set(rows.map((r) => r.delivery))).toEqual(new Set(['delivered']));
    });

    test('a replay raises the count and leaves the charge (P8.30)', async () => {
      await ledger.claim(exampleClaim(1));
      await ledger.transition(exampleTransition(1, 'settled'));
      ledger.replayed(exampleClaim(1).receipt.receiptId);
      const counted = async () => (await ledger.findReceipt(exampleClaim(1).receipt.receiptId))?.replayCount;
      while ((await counted()) === 0) await new Promise((resolve) => setImmediate(resolve));
      expect(await counted()).toBe(1);
    });
  });

  test(`${adapter.name}: a step outside I3.2 is refused to everybody, written by hand as well (I3.3, I3.10, S11, A3.6)`, async () => {
    const statuses = [
      'not_charged',
      'authorized',
      'queued_for_batch',
      'submitted',
      'settled',
      'failed',
      'refunded',
    ];
    const lawful = new Set([
      'authorized>submitted handler',
      ...['handler', 'recovery'].flatMap((by) => [
        `submitted>settled ${by}`,
        `submitted>failed ${by}`,
        `authorized>queued_for_batch ${by}`,
        `authorized>failed ${by}`,
      ]),
      'queued_for_batch>settled reconciler',
      'queued_for_batch>failed reconciler',
      'settled>refunded operator:ada',
    ]);
    const refund = { refundReference: 'bank 7', refundedMicro: 1 };
    const paid = { from: 'settled', actor: operator, set: refund } as const;
    const queued = { from: 'authorized', set: { gatewayTransferId: 'transfer-3' } } as const;
    for (const n of [1, 2, 5, 6]) await ledger.claim(exampleClaim(n));
    for (const n of [3, 4]) await ledger.claim(exampleClaim(n, { provider: 'gateway_batched' }));
    for (const n of [1, 5]) await ledger.transition(exampleTransition(n, 'settled'));
    await ledger.transition(exampleTransition(2, 'failed'));
    await ledger.transition(exampleTransition(3, 'queued_for_batch', queued));
    await ledger.transition(exampleTransition(5, 'refunded', paid));
    for (const n of [1, 2, 3, 4, 5, 6]) {
      const { receiptId, settlementMode } = exampleClaim(
        n,
        n === 3 || n === 4 ? { provider: 'gateway_batched' } : {},
      ).receipt;
      const from = (await ledger.findReceipt(receiptId))?.chargeStatus;
      const notItsOwn = settlementMode === 'gateway_batched' ? 'submitted' : 'queued_for_batch';
      for (const to of statuses) {
        for (const actor of ['handler', 'recovery', 'reconciler', operator]) {
          if (to === from || (lawful.has(`${from}>${to} ${actor}`) && to !== notItsOwn)) continue;
          const step =
            running.run(`UPDATE receipts SET charge_status = '${to}', actor = '${actor}', refunded_micro = 1,
            charged_micro = CASE WHEN '${to}' IN ('queued_for_batch','settled','refunded') THEN quoted_micro ELSE 0 END,
            settlement_tx_hash = coalesce(settlement_tx_hash, '0x${n}'),
            gateway_transfer_id = coalesce(gateway_transfer_id, 'by-hand'), failure_reason = 'x', refund_reference = 'y'
            WHERE receipt_id = '${receiptId}'`);
          await expect(step, `${from}>${to} by ${actor}`).rejects.toThrow(
            /illegal_transition|immutable_receipt|check constraint/i,
          );
        }
      }
    }
    expect(await ledger.check()).toMatchObject({ problems: [], receipts: 6 });
  });

  test(`${adapter.name}: API keys are created, listed, succeeded and revoked (P6.1–P6.5)`, async () => {
    const key = (keyId: string, replaces: string | null = null) => ({
      keyId,
      salt: new Uint8Array(16).fill(1),
      secretHash: new Uint8Array(32).fill(2),
      label: 'research desk',
      scopes: ['rest', 'mcp'] as const,
      createdMs: 1000,
      createdBy: operator,
      expiresMs: null,
      replaces,
    });
    expect(await ledger.keys.create(key('AAAAABBBBB'))).toBe('created');
    expect(await ledger.keys.create(key('AAAAABBBBB'))).toBe('key_id_taken');
    expect(await ledger.keys.create(key('CCCCCDDDDD', 'NOBODYHERE'))).toBe('unknown_predecessor');
    expect(await ledger.keys.create(key('CCCCCDDDDD', 'AAAAABBBBB'))).toBe('created');
    expect(await ledger.keys.revoke({ keyId: 'AAAAABBBBB', as: operator, atMs: 5000 })).toBe('revoked');
    expect(await ledger.keys.revoke({ keyId: 'AAAAABBBBB', as: 'operator:eve', atMs: 6000 })).toBe(
      'already_revoked',
    );
    expect(await ledger.keys.revoke({ keyId: 'NOBODYHERE', as: operator, atMs: 6000 })).toBe('unknown');
    const [first] = await ledger.keys.records();
    expect(first).toMatchObject({
      scopes: ['rest', 'mcp'],
      revokedMs: 5000,
      revokedBy: operator,
      replacedBy: 'CCCCCDDDDD',
      expiresMs: null,
    });
    expect([...(first?.salt ?? [])]).toEqual(Array(16).fill(1));
    expect(Object.keys((await ledger.keys.list())[0] ?? {})).not.toContain('secretHash');
  });
}
