import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import { type ChainReplica, chainReplica } from '../../../fixtures/replicas/chainReplica.ts';
import {
  type PostgresServer,
  postgresMissing,
  startPostgresServer,
} from '../../../fixtures/replicas/postgresServer.ts';
import { lockedTables } from '../../../fixtures/rigs/ledger/lockedTables.ts';
import { type PaidRig, paidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';
import { systemTime } from '../../ledger/openLedger.ts';
import type { Ledger } from '../../ledger/port/ledger.ts';
import { postgresLedger } from '../../ledger/postgres/postgresLedger.ts';

// a database that ends while a settlement runs, or a statement: HTTP answer, ledger, charge, recovery (X49, X50)

const missing = postgresMissing();
const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(91);

describe.skipIf(missing !== null)(
  `PostgreSQL ends between claim and settlement${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    const clock = { nowMs: Date.now() };
    let postgres: PostgresServer;
    let node: ChainReplica;
    let directory: string;
    let database = '';
    let databases = 0;
    let ledgers: Ledger[];
    let rigs: PaidRig[];
    let rig: PaidRig;
    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'stopped-'));
      postgres = await startPostgresServer({ inMemory: true });
      node = await chainReplica({ nowMs: () => clock.nowMs });
    });
    afterAll(async () => {
      await node.close();
      await postgres.stop();
      rmSync(directory, { recursive: true });
    });

    async function server(owner: string, shortPauseMs = 500): Promise<PaidRig> {
      const ledger = postgresLedger({
        connection: postgres.url(database),
        markPath: join(directory, `${database}.${owner}.mark`),
        time: { nowMs: () => clock.nowMs, after: systemTime.after },
        nowMs: () => clock.nowMs,
        log: () => {},
        application: owner,
      });
      await ledger.open();
      ledgers.push(ledger);
      const environment = { II_PAY_EXACT_VERIFY: 'settle', II_PAY_RPC_URL: node.url };
      const built = await paidRig({ clock, ledger, owner, environment, shortPauseMs });
      rigs.push(built);
      const release = built.release({ sourceDate: '2026-02-07' });
      built.promote(release, { '2026-02-07': release });
      built.facilitator.balances.set(wallet.address, 10_000_000n);
      return built;
    }
    beforeEach(async () => {
      databases += 1;
      database = `stopped_${databases}`;
      await postgres.create(database);
      [ledgers, rigs] = [[], []];
      rig = await server('first');
    });
    afterEach(async () => {
      for (const one of rigs) await one.close();
      for (const one of ledgers) await one.close();
    });

    const paid = (header: string, at = rig) => at.ask(path, { headers: { 'payment-signature': header } });

    /** The answer to a payment whose database ends once the provider has its money. */
    async function endedAtT4(header: string) {
      rig.facilitator.misbehave('/settle', { kind: 'hold' });
      const answer = paid(header);
      await rig.facilitator.arrived('/settle', 1);
      while (rig.facilitator.taken(payTo) === 0n) await new Promise<void>((resolve) => setImmediate(resolve));
      await postgres.kill();
      rig.facilitator.release();
      await rig.waitBegan(1000);
      rig.advance(10_000);
      return answer;
    }
    async function stateOf(receiptId: unknown, at = rig) {
      const receipt = await at.ledger.findReceipt(String(receiptId));
      const found = await at.ledger.findClaim(receipt?.claimKey ?? new Uint8Array(32));
      return {
        state: `${found?.receipt.chargeStatus}/${found?.payment.phase}`,
        chargedMicro: found?.receipt.chargedMicro,
        journal: (await at.ledger.journal(String(receiptId))).map((row) => row.to),
      };
    }

    it('503 settlement_pending without a challenge; the outcome is kept, and written when it is back', async () => {
      const header = await rig.pay(wallet, path);
      const answer = await endedAtT4(header);
      expect(answer.json()).toMatchObject({ status: 503, code: 'settlement_pending', retryable: true });
      expect(answer.headers.has('payment-required')).toBe(false);
      const { receipt_id } = answer.json();
      // while it is away nothing new is taken, and nothing is charged for that
      const other = await paid(await rig.pay(wallet, path));
      expect(other.json()).toMatchObject({ status: 503, code: 'settlement_unavailable' });

      await postgres.start();
      expect(await stateOf(receipt_id)).toEqual({
        state: 'submitted/calling',
        chargedMicro: 0,
        journal: ['authorized', 'submitted'],
      });
      while ((await stateOf(receipt_id)).state !== 'settled/accepted') rig.advance(1000);
      expect(await stateOf(receipt_id)).toEqual({
        state: 'settled/accepted',
        chargedMicro: 100_000,
        journal: ['authorized', 'submitted', 'settled'],
      });
      const served = await paid(header);
      expect(served.status).toBe(200);
      expect(served.json()['settlement_receipt']).toMatchObject({ receipt_id, charge_status: 'settled' });
      expect(served.headers.get('idempotent-replay')).toBe('true');
      expect(rig.facilitator.calls('/settle')).toHaveLength(1);
      expect(rig.facilitator.taken(payTo)).toBe(100_000n);
      expect(await rig.ledger.check()).toMatchObject({ problems: [], receipts: 1, chargedMicro: 100_000 });
    });

    it('503 settlement_unavailable when it ends while a payment is looked up; the same payment is good again', async () => {
      const header = await rig.pay(wallet, path);
      const locked = await lockedTables({ url: postgres.url(database), mode: 'ACCESS EXCLUSIVE' });
      const answer = paid(header);
      await locked.waiting(1);
      await postgres.kill();
      expect((await answer).json()).toMatchObject({
        status: 503,
        code: 'settlement_unavailable',
        retryable: true,
        billing_status: 'not_charged',
        detail: 'The ledger database gave no answer; nothing was changed. Try again later.',
      });
      expect((await answer).headers.get('retry-after')).toBe('30');
      expect(rig.facilitator.received).toEqual([]);
      await postgres.start();
      expect((await paid(header)).status).toBe(200);
      expect(await rig.ledger.check()).toMatchObject({ problems: [], receipts: 1, chargedMicro: 100_000 });
    });

    it('503 settlement_pending when it ends inside the claim: the row may be there, and nothing was sent', async () => {
      const header = await rig.pay(wallet, path);
      const url = postgres.url(database);
      const locked = await lockedTables({ url, tables: ['payments'], mode: 'SHARE' });
      const answer = paid(header);
      await locked.waiting(1);
      await postgres.kill();
      const receipt_id = expect.stringMatching(/^rcpt_/);
      expect((await answer).json()).toMatchObject({ status: 503, code: 'settlement_pending', receipt_id });
      expect(rig.facilitator.calls('/settle')).toEqual([]);
      await postgres.start();
      expect((await paid(header)).status).toBe(200);
      expect(rig.facilitator.taken(payTo)).toBe(100_000n);
    });

    it('409 payment_in_progress to a repeat whose look-ups end with it: its money may be moving (P8.34)', async () => {
      const header = await rig.pay(wallet, path);
      rig.facilitator.misbehave('/settle', { kind: 'hold' });
      const first = paid(header);
      await rig.facilitator.arrived('/settle', 1);
      const second = await server('second', 50);
      const repeat = paid(header, second);
      await second.waitBegan(100);
      await postgres.kill();
      second.advance(6000);
      expect((await repeat).json()).toMatchObject({ status: 409, code: 'payment_in_progress' });
      await postgres.start();
      rig.facilitator.release();
      expect((await first).status).toBe(200);
      expect(rig.facilitator.taken(payTo)).toBe(100_000n);
    });

    it('and whose server is gone before it is back is recovered from the chain (P8.52)', async () => {
      const header = await rig.pay(wallet, path);
      const { receipt_id } = (await endedAtT4(header)).json();
      const { payload } = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
      const { nonce } = payload.authorization as { nonce: string };
      node.balances.set(wallet.address, 10_000_000n);
      const hash = node.useElsewhere({
        from: wallet.address,
        nonce,
        to: payTo.toLowerCase(),
        value: 100_000n,
      });
      await postgres.start();
      // nobody moves the time of the first any more
      const second = await server('second');
      second.advance(31_000);
      await second.payments.reconciler?.pass();
      expect(await stateOf(receipt_id, second)).toEqual({
        state: 'settled/accepted',
        chargedMicro: 100_000,
        journal: ['authorized', 'submitted', 'settled'],
      });
      expect(await second.ledger.findReceipt(String(receipt_id))).toMatchObject({
        settlementTxHash: hash,
        delivery: 'undelivered',
        qualityFlags: expect.arrayContaining(['recovered']),
      });
      const served = await paid(header, second);
      expect(served.status).toBe(200);
      expect(served.json()['settlement_receipt']).toMatchObject({ receipt_id });
      expect(second.facilitator.received).toEqual([]);
      expect(await second.ledger.check()).toMatchObject({ problems: [], receipts: 1, chargedMicro: 100_000 });
    });
  },
);
