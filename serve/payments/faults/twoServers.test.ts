import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testWallet } from '../../../fixtures/builders/testWallet.ts';
import {
  type PostgresServer,
  postgresMissing,
  startPostgresServer,
} from '../../../fixtures/replicas/postgresServer.ts';
import { type PaidRig, paidRig, payTo } from '../../../fixtures/rigs/paidRig.ts';
import { systemTime } from '../../ledger/openLedger.ts';
import type { Ledger } from '../../ledger/port/ledger.ts';
import { postgresLedger } from '../../ledger/postgres/postgresLedger.ts';

// the x402 rail of two servers over one PostgreSQL, each with connections and a facilitator of its own (X22, S2)

const missing = postgresMissing();
const path = '/v1/covenant-stress/MSTR';
const wallet = testWallet(71);

describe.skipIf(missing !== null)(
  `two servers on PostgreSQL${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let postgres: PostgresServer;
    let directory: string;
    let ledgers: Ledger[];
    let rigs: [PaidRig, PaidRig];
    let database = 0;
    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'two-servers-'));
      postgres = await startPostgresServer();
    });
    afterAll(async () => {
      await postgres.stop();
      rmSync(directory, { recursive: true });
    });

    async function open(name: string, owner: string): Promise<Ledger> {
      const ledger = postgresLedger({
        connection: postgres.url(name),
        markPath: join(directory, `${name}.${owner}.mark`),
        time: systemTime,
        log: () => {},
        application: owner,
      });
      await ledger.open();
      ledgers.push(ledger);
      return ledger;
    }
    async function serve(name: string, owner: string): Promise<PaidRig> {
      // leases are compared with the clock of the database (P8.17)
      const clock = { nowMs: Date.now() };
      const rig = await paidRig({ clock, owner, ledger: await open(name, owner) });
      const release = rig.release({ sourceDate: '2026-02-07' });
      rig.promote(release, { '2026-02-07': release });
      rig.facilitator.balances.set(wallet.address, 10_000_000n);
      rig.gateway.deposits.set(wallet.address, 10_000_000n);
      return rig;
    }
    beforeEach(async () => {
      database += 1;
      const name = `two_servers_${database}`;
      await postgres.create(name);
      ledgers = [];
      rigs = [await serve(name, 'one'), await serve(name, 'two')];
    });
    afterEach(async () => {
      for (const rig of rigs) await rig.close();
      for (const ledger of ledgers) await ledger.close();
    });

    const paid = (rig: PaidRig, header: string, at = path) =>
      rig.ask(at, { headers: { 'payment-signature': header } });
    const settles = () => rigs.flatMap((rig) => rig.facilitator.calls('/settle')).length;
    const taken = () => rigs.reduce((sum, rig) => sum + rig.facilitator.taken(payTo), 0n);
    const receiptOf = (answer: { json(): Record<string, unknown> }) =>
      (answer.json()['settlement_receipt'] as { receipt_id: string }).receipt_id;

    it('settle fifty equal requests once, and answer every one of them with the one receipt (X22)', async () => {
      const header = await rigs[0].pay(wallet, path);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => paid(rigs[n % 2 === 0 ? 0 : 1], header)),
      );
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(receiptOf)).size).toBe(1);
      expect([settles(), taken()]).toEqual([1, 100_000n]);
      expect(await rigs[1].ledger.check()).toMatchObject({ chargedMicro: 100_000, problems: [] });
    });

    it('answer one second signature sent to both at once under the first receipt, and charge it nothing (P2.46a)', async () => {
      const [header, second] = [await rigs[0].pay(wallet, path), await rigs[0].pay(wallet, path)];
      const lost = await rigs[0].ask(path, {
        headers: { 'payment-signature': header },
        delivery: 'undelivered',
      });
      const stored = async () => (await rigs[1].ledger.findReceipt(receiptOf(lost)))?.delivery;
      while ((await stored()) !== 'undelivered') await new Promise<void>((next) => setImmediate(next));
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => paid(rigs[n % 2 === 0 ? 0 : 1], second)),
      );
      // each server, asked again after the answer has arrived
      for (const rig of rigs) answers.push(await paid(rig, second), await paid(rig, header));
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(receiptOf))).toEqual(new Set([receiptOf(lost)]));
      expect([settles(), taken()]).toEqual([1, 100_000n]);
      expect(await rigs[1].ledger.check()).toMatchObject({
        payments: 1,
        chargedMicro: 100_000,
        problems: [],
      });
    });

    it('show what the other has settled, and refuse its payment for another request (X23, X27)', async () => {
      const header = await rigs[0].pay(wallet, path);
      const first = await paid(rigs[0], header);
      const again = await paid(rigs[1], header);
      expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
      expect(receiptOf(again)).toBe(receiptOf(first));
      const payload = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as Record<string, unknown>;
      const bare = Buffer.from(JSON.stringify({ ...payload, resource: undefined })).toString('base64');
      const elsewhere = await paid(rigs[1], bare, '/v1/covenant-stress/BMNR');
      expect(elsewhere.json()).toMatchObject({ status: 409, code: 'payment_nonce_reused' });
      expect(settles()).toBe(1);
      expect(rigs[1].facilitator.received).toEqual([]);
    });

    it('queue one batched payment once, whoever is asked', async () => {
      const header = await rigs[0].pay(wallet, path, {
        provider: 'gateway_batched',
        validBefore: BigInt(Math.floor(Date.now() / 1000) + 700_000),
      });
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => paid(rigs[n % 2 === 0 ? 0 : 1], header)),
      );
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
      expect(rigs.flatMap((rig) => rig.gateway.transfers)).toHaveLength(1);
      expect(await rigs[0].ledger.check()).toMatchObject({ chargedMicro: 100_000, problems: [] });
    });
  },
);
