import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TempoBuyer, tempoBuyer } from '../../../fixtures/builders/tempoBuyer.ts';
import {
  type PostgresServer,
  postgresMissing,
  startPostgresServer,
} from '../../../fixtures/replicas/postgresServer.ts';
import { type TempoReplica, tempoReplica } from '../../../fixtures/replicas/tempoReplica.ts';
import { keptMppLibrary } from '../../../fixtures/rigs/keptMppLibrary.ts';
import { type MppDoor, mirrorDoor, toolDoor } from '../../../fixtures/rigs/mppDoors.ts';
import { type PaidRig, paidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';
import { systemTime } from '../../ledger/openLedger.ts';
import type { Ledger, ReceiptRow } from '../../ledger/port/ledger.ts';
import { postgresLedger } from '../../ledger/postgres/postgresLedger.ts';

const path = '/mpp/v1/readiness';
const send = 'eth_sendRawTransactionSync';
const { run: runLibrary, close: closeLibrary } = keptMppLibrary();
afterAll(closeLibrary);
let rig: PaidRig;
let node: TempoReplica;
let buyer: TempoBuyer;
let buyers = 100;

const environment = () => ({
  II_PAY_MPP_RECIPIENT: payTo,
  II_PAY_MPP_CURRENCY: '0x20c0000000000000000000000000000000000000',
  II_PAY_MPP_CHAIN_ID: '1337',
  II_PAY_MPP_RPC_URL: node.url,
  II_PAY_MPP_SECRET: 'the secret of the test deployment',
  II_RATE_BADPAY: '1000',
});

/** A server of one test; without a ledger it has a file of its own. */
async function start(ledgerOf?: (clock: { nowMs: number }) => Promise<Ledger>): Promise<void> {
  const clock = { nowMs: Date.now() };
  node = await tempoReplica({ nowMs: () => clock.nowMs });
  const ledger = ledgerOf === undefined ? {} : { ledger: await ledgerOf(clock) };
  rig = await paidRig({ clock, runLibrary, environment: environment(), ...ledger });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  buyers += 1;
  buyer = tempoBuyer(buyers, node.url);
  node.balances.set(buyer.address, 1_000_000n);
}

async function stop(): Promise<void> {
  await rig.close();
  await node.close();
}

const doors = [
  mirrorDoor((at, sent) => rig.ask(at, sent), path),
  toolDoor((at, sent) => rig.ask(at, sent), 'intel_readiness'),
];
let door: MppDoor;
const pay = (credential: string) => door.pay(credential);
const signed = async () => buyer.sign((await door.ask()).headers.get('www-authenticate') ?? '');
const sends = () => node.methods.filter((method) => method === send).length;
const balanced = async () => expect((await rig.ledger.check()).problems).toEqual([]);

async function receiptOf(id: unknown): Promise<ReceiptRow | null> {
  return rig.ledger.findReceipt(String(id));
}

async function reconcile(afterMs: number): Promise<void> {
  rig.advance(afterMs);
  await rig.payments.reconciler?.pass();
}

/** What happens to money, on any ledger, wherever MPP is taken. */
function failureRows(): void {
  describe.each(doors)('$name', (at) => {
    beforeEach(() => {
      door = at;
    });
    failuresAt();
  });
}

function failuresAt(): void {
  describe('an MPP payment whose answer is lost', () => {
    it('is 503, found by its hash on the chain, and served to the same credential (X19, P4.15)', async () => {
      const credential = await signed();
      node.misbehave(send, 'drop_after_accept');
      const answer = await pay(credential);
      expect(answer.json()).toMatchObject({ status: 503, code: 'settlement_pending', retryable: true });
      expect(answer.headers.has('www-authenticate')).toBe(false);
      const { receipt_id } = answer.json();
      expect((await receiptOf(receipt_id))?.chargeStatus).toBe('submitted');
      await reconcile(60_000);
      const settled = await receiptOf(receipt_id);
      expect([settled?.chargeStatus, settled?.qualityFlags]).toEqual(['settled', ['recovered']]);
      const replay = await pay(credential);
      expect([replay.status, replay.headers.get('idempotent-replay')]).toEqual([200, 'true']);
      expect([sends(), node.taken(payTo)]).toEqual([1, 40_000n]);
      await balanced();
    });

    it('is looked up at once when the same credential comes back (I5.25)', async () => {
      const credential = await signed();
      node.misbehave(send, 'drop_after_accept');
      expect((await pay(credential)).status).toBe(503);
      rig.advance(31_000);
      expect((await pay(credential)).status).toBe(200);
      expect(sends()).toBe(1);
    });

    it('is not paid twice when its buyer signs anew (P2.46)', async () => {
      node.misbehave(send, 'drop_after_accept');
      expect((await pay(await signed())).status).toBe(503);
      const anew = await pay(await signed());
      expect(anew.json()).toMatchObject({ status: 503, code: 'settlement_pending' });
      await reconcile(60_000);
      const served = await pay(await signed());
      expect([served.status, served.headers.get('idempotent-replay')]).toEqual([200, 'true']);
      expect([sends(), node.taken(payTo)]).toEqual([1, 40_000n]);
      await balanced();
    });

    it('is charged nothing for any of its credentials sent again in any order (P2.46a)', async () => {
      const [first, second, third] = [await signed(), await signed(), await signed()];
      node.misbehave(send, 'drop_after_accept');
      const { receipt_id: receiptId } = (await pay(first)).json();
      expect((await pay(second)).json()).toMatchObject({ code: 'settlement_pending', receipt_id: receiptId });
      await reconcile(60_000);
      for (const credential of [third, second, first, third, second]) {
        const answer = await pay(credential);
        expect([answer.status, answer.headers.get('idempotent-replay')]).toEqual([200, 'true']);
        expect(JSON.stringify(answer.json())).toContain(String(receiptId));
      }
      expect([sends(), node.taken(payTo)]).toEqual([1, 40_000n]);
      await balanced();
    });

    it('that failed leaves its second credential a payment of its own (P2.46a)', async () => {
      const [first, second] = [await signed(), await signed()];
      node.misbehave(send, 'drop');
      const { receipt_id: receiptId } = (await pay(first)).json();
      expect((await pay(second)).json()).toMatchObject({ code: 'settlement_pending', receipt_id: receiptId });
      await reconcile(40_000);
      await reconcile(30_000);
      expect((await receiptOf(receiptId))?.chargeStatus).toBe('failed');
      const [own, again] = [await pay(second), await pay(second)];
      expect([own.status, own.headers.has('idempotent-replay')]).toEqual([200, false]);
      expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
      expect(node.taken(payTo)).toBe(40_000n);
      await balanced();
    });

    it('fails when the chain has passed its end by 30 s and never saw it (P4.15)', async () => {
      const credential = await signed();
      node.misbehave(send, 'drop');
      const { receipt_id } = (await pay(credential)).json();
      await reconcile(40_000);
      expect((await receiptOf(receipt_id))?.chargeStatus).toBe('submitted');
      await reconcile(30_000);
      const failed = await receiptOf(receipt_id);
      expect([failed?.chargeStatus, failed?.failureReason]).toEqual(['failed', 'expired_unused']);
      const again = await pay(credential);
      expect(again.json()).toMatchObject({
        status: 402,
        code: 'payment_verification_failed',
        error_reason: 'expired_unused',
      });
      expect(again.headers.get('www-authenticate')).toMatch(/^Payment id=/);
      expect(node.taken(payTo)).toBe(0n);
      await balanced();
    });
  });

  describe('an MPP payment the chain refuses', () => {
    it('is 402 and failed when it reverts (X20)', async () => {
      const credential = await signed();
      node.misbehave(send, 'revert');
      const answer = await pay(credential);
      expect(answer.json()).toMatchObject({
        status: 402,
        code: 'payment_verification_failed',
        type: 'https://paymentauth.org/problems/verification-failed',
        error_reason: 'reverted',
      });
      expect(answer.headers.has('payment-receipt')).toBe(false);
      expect(node.taken(payTo)).toBe(0n);
      await balanced();
    });

    it('is 402 before any claim when the payer has nothing', async () => {
      const credential = await signed();
      node.balances.clear();
      const answer = await pay(credential);
      expect(answer.json()).toMatchObject({ status: 402, code: 'payment_verification_failed' });
      expect([sends(), (await rig.ledger.check()).payments]).toEqual([0, 0]);
    });

    it('is 503 before any claim when the node does not answer, and the breaker opens after five (P2.44, P4.17)', async () => {
      const credential = await signed();
      node.misbehave('eth_call', 'drop', 'drop', 'drop', 'drop', 'drop');
      for (let i = 0; i < 6; i += 1) {
        const answer = await pay(credential);
        expect(answer.json()).toMatchObject({ status: 503, code: 'settlement_unavailable', rail: 'mpp' });
      }
      expect(node.methods.filter((method) => method === 'eth_call')).toHaveLength(5);
      expect(rig.payments.mppHealth().status).toBe('failing');
      expect((await door.ask()).status).toBe(402);
      rig.advance(10_001);
      expect((await pay(credential)).status).toBe(200);
      expect(rig.payments.mppHealth().status).toBe('ok');
    });
  });

  describe('a transaction the node answers with an error of its own', () => {
    it('is 503, and closes the rail for nobody else (P2.44, P4.17)', async () => {
      const credential = await signed();
      const odd = { code: -32000, message: 'no rule for this transaction' };
      node.misbehave('eth_call', odd, odd, odd, odd, odd);
      for (let i = 0; i < 5; i += 1) {
        const answer = await pay(credential);
        expect(answer.json()).toMatchObject({ status: 503, code: 'settlement_unavailable', rail: 'mpp' });
      }
      expect(rig.payments.mppHealth().status).toBe('ok');
      expect((await pay(await signed())).status).toBe(200);
    });
  });
}

describe('on SQLite', () => {
  beforeEach(() => start());
  afterEach(stop);
  failureRows();
});

const missing = postgresMissing();

describe.skipIf(missing !== null)(`on PostgreSQL${missing === null ? '' : ` (skipped: ${missing})`}`, () => {
  let server: PostgresServer;
  let directory: string;
  let ledger: Ledger;
  let databases = 0;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'mpp-failures-'));
    server = await startPostgresServer();
    await server.create('template');
    await (await opened('template')).close();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  async function opened(database: string, clock = { nowMs: Date.now() }): Promise<Ledger> {
    ledger = postgresLedger({
      connection: server.url(database),
      markPath: join(directory, `${database}.mark`),
      time: { nowMs: () => clock.nowMs, after: systemTime.after },
      // the time of the test, where a server has the database's (P8.17)
      nowMs: () => clock.nowMs,
      log: () => {},
    });
    await ledger.open();
    return ledger;
  }

  beforeEach(() =>
    start(async (clock) => {
      databases += 1;
      await server.create(`failures${databases}`, 'template');
      return opened(`failures${databases}`, clock);
    }),
  );
  afterEach(async () => {
    await stop();
    await ledger.close();
  });
  failureRows();
});
