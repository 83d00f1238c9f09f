import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type PostgresServer,
  postgresMissing,
  startPostgresServer,
} from '../../../fixtures/replicas/postgresServer.ts';
import { halfClaimPostgres } from '../../../fixtures/rigs/ledger/halfClaim.ts';
import { lockedTables } from '../../../fixtures/rigs/ledger/lockedTables.ts';
import { silentAfter } from '../../../fixtures/rigs/ledger/silentAfter.ts';
import {
  exampleClaim,
  exampleShadow,
  exampleTransition,
} from '../../../fixtures/rigs/ledgerConformance/examples.ts';
import { inspectLedgerAt, systemTime } from '../openLedger.ts';
import type { Ledger } from '../port/ledger.ts';
import { postgresDatabase } from './postgresDatabase.ts';
import { postgresLedger } from './postgresLedger.ts';

const missing = postgresMissing();
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe.skipIf(missing !== null)(
  `PostgreSQL fails${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let server: PostgresServer;
    let directory: string;
    const events: string[] = [];
    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'ledger-'));
      server = await startPostgresServer();
    });
    afterAll(async () => {
      await server.stop();
      rmSync(directory, { recursive: true });
    });

    function ledgerOf(database: string): Ledger {
      return postgresLedger({
        connection: server.url(database),
        markPath: join(directory, `${database}.mark`),
        time: systemTime,
        log: (line) => events.push(line.event),
      });
    }

    async function asOwner(database: string, sql: string): Promise<void> {
      const client = new pg.Client(server.url(database));
      await client.connect();
      await client.query(sql).finally(() => client.end());
    }

    test('a transition on one server is heard on the other (P8.18)', async () => {
      await server.create('two');
      const [one, other] = [ledgerOf('two'), ledgerOf('two')];
      await one.open();
      await other.open();
      const heard = Promise.withResolvers<string>();
      other.onReceipt(heard.resolve);
      await one.claim(exampleClaim(1));
      expect(await heard.promise).toBe(exampleClaim(1).receipt.receiptId);
      await one.close();
      await other.close();
    });

    test.each([1, 2, 4, 7])(
      'a start ends with a named error where it falls silent after %i answers (P8.14)',
      async (answers) => {
        await server.create(`silent${answers}`);
        const silent = await silentAfter(server.url(`silent${answers}`), answers);
        const ledger = postgresLedger({
          connection: silent.url,
          markPath: join(directory, `silent${answers}.mark`),
          time: systemTime,
          log: (line) => events.push(line.event),
          reach: (given) => postgresDatabase({ ...given, queryMs: 400 }),
        });
        try {
          await expect(ledger.open()).rejects.toMatchObject({ code: 'settlement_unavailable' });
        } finally {
          silent.close();
        }
      },
    );

    test('a revocation on one server is heard on the other (P6.3)', async () => {
      await server.create('keys');
      const [one, other] = [ledgerOf('keys'), ledgerOf('keys')];
      await one.open();
      await other.open();
      const heard = Promise.withResolvers<void>();
      other.keys.onChange?.(heard.resolve);
      await one.keys.create({
        keyId: 'AAAAABBBBB',
        salt: new Uint8Array(16),
        secretHash: new Uint8Array(32),
        label: 'desk',
        scopes: ['rest'],
        createdMs: 1,
        createdBy: 'operator:ada',
        expiresMs: null,
        replaces: null,
      });
      await heard.promise;
      expect((await other.keys.list()).map((key) => key.keyId)).toEqual(['AAAAABBBBB']);
      await one.close();
      await other.close();
    });

    test('a crash between T2 and T3 has sent nothing, and is ended at once (X36, P8.22)', async () => {
      await server.create('split');
      const ledger = ledgerOf('split');
      await ledger.open();
      const client = new pg.Client(server.url('split'));
      await client.connect();
      await halfClaimPostgres(client, exampleClaim(1, { atMs: Date.now() - 60_000 }));
      await client.end();
      const [found] = await ledger.takeDue({ kind: 'recovery', owner: 'w', leaseMs: 1, limit: 9 });
      expect(found).toMatchObject({ payment: { phase: 'claimed' }, receipt: { chargeStatus: 'authorized' } });
      const t9 = exampleTransition(1, 'failed', {
        from: 'authorized',
        actor: 'recovery',
        set: { failureReason: 'abandoned_before_submission' },
      });
      expect(await ledger.transition(t9)).toBe(true);
      expect((await ledger.check()).problems).toEqual([]);
      await ledger.close();
    });

    test('two servers that start at once on an empty database make one schema (P8.14)', async () => {
      await server.create('fresh');
      expect(await inspectLedgerAt({ kind: 'postgres', connection: server.url('fresh'), markPath: '' })).toBe(
        'not_created',
      );
      const servers = Array.from({ length: 4 }, () => ledgerOf('fresh'));
      await Promise.all(servers.map((ledger) => ledger.open()));
      await Promise.all(servers.map((ledger) => ledger.close()));
      expect(await inspectLedgerAt({ kind: 'postgres', connection: server.url('fresh'), markPath: '' })).toBe(
        'ok',
      );
    });

    test.each([
      [
        'asynchronous commits, which a failover would forget (X51)',
        'ALTER DATABASE refused SET synchronous_commit = off',
        'synchronous_commit = off',
      ],
      [
        'another schema version',
        "ALTER DATABASE refused RESET ALL; UPDATE ledger_meta SET value = '9'",
        'version 9',
      ],
    ])('a start on %s is refused (P8.14)', async (_name, sql, message) => {
      await server.create('refused').catch(() => {});
      if (message.includes('version')) {
        await asOwner('refused', 'ALTER DATABASE refused RESET ALL');
        const ledger = ledgerOf('refused');
        await ledger.open();
        await ledger.close();
      }
      await asOwner('refused', sql);
      await expect(ledgerOf('refused').open()).rejects.toMatchObject({
        code: 'configuration',
        message: expect.stringContaining(message),
      });
    });

    test.each(['ledger_meta', 'receipt_events'])(
      'ended while a server starts, at table %s: one sentence and the next step (P8.14)',
      async (table) => {
        const name = `starting_${table}`;
        await server.create(name);
        const first = ledgerOf(name);
        await first.open();
        await first.close();
        const locked = await lockedTables({
          url: server.url(name),
          tables: [table],
          mode: 'ACCESS EXCLUSIVE',
        });
        const opening = ledgerOf(name).open();
        opening.catch(() => {});
        await locked.waiting(1);
        await server.kill();
        await expect(opening).rejects.toMatchObject({
          code: 'settlement_unavailable',
          message: expect.stringMatching(
            /^The ledger database (went away, or gave no answer,|gave no answer)/,
          ),
          hint: expect.stringMatching(/again/),
        });
        await server.start();
        const again = ledgerOf(name);
        await again.open();
        expect(await again.health()).toMatchObject({ status: 'ok' });
        await again.close();
      },
    );

    test('down before the claim: nothing is taken, keys are refused too, and it comes back (X49)', async () => {
      await server.create('outage');
      const ledger = ledgerOf('outage');
      await ledger.open();
      await ledger.claim(exampleClaim(1));
      await server.kill();
      const down = { code: expect.stringMatching(/^(settlement_unavailable|store_unwritable)$/) };
      await expect(ledger.claim(exampleClaim(2))).rejects.toMatchObject(down);
      await expect(ledger.transition(exampleTransition(1, 'settled'))).rejects.toMatchObject(down);
      expect(await ledger.health()).toMatchObject({ status: 'failing', reason: 'unreachable' });
      ledger.noteNotCharged(exampleShadow(3));
      while (!events.includes('ledger_cannot_write')) await turn();
      expect(() => ledger.noteNotCharged(exampleShadow(4))).toThrow(
        expect.objectContaining({ code: 'settlement_unavailable' }),
      );
      await server.start();
      // what was taken before is written when the database is back
      while ((await ledger.findReceipt(exampleShadow(3).receiptId).catch(() => null)) === null) await turn();
      expect((await ledger.findClaim(exampleClaim(1).claimKey))?.receipt.chargeStatus).toBe('submitted');
      expect(await ledger.transition(exampleTransition(1, 'settled'))).toBe(true);
      expect((await ledger.claim(exampleClaim(2))).won).toBe(true);
      expect((await ledger.check()).problems).toEqual([]);
      expect(await ledger.health()).toMatchObject({ status: 'ok' });
      await ledger.close();
    });

    test('ended in the middle of a read: every look-up says so, and none leaves anything unknown (X49)', async () => {
      await server.create('reads');
      const ledger = ledgerOf('reads');
      await ledger.open();
      await ledger.claim(exampleClaim(1));
      const { claimKey, receipt } = exampleClaim(1);
      const locked = await lockedTables({ url: server.url('reads'), mode: 'ACCESS EXCLUSIVE' });
      const nowMs = Date.now();
      const reads: Record<string, () => Promise<unknown>> = {
        findClaim: () => ledger.findClaim(claimKey),
        findUndelivered: () => ledger.findUndelivered({ payer: 'a', fingerprint: claimKey, sinceMs: 0 }),
        findReceipt: () => ledger.findReceipt(receipt.receiptId),
        findTransfer: () => ledger.findTransfer('a'),
        journal: () => ledger.journal(receipt.receiptId),
        queuedExposure: () => ledger.queuedExposure('a'),
        jobOfClaim: () => ledger.jobs.ofClaim(claimKey),
        grant: () => ledger.grants.find('a'),
        grants: () => ledger.grants.list(),
        grantsOfWallet: () => ledger.grants.ofWallet('a'),
        debits: () => ledger.grants.debits('a'),
        grantEvents: () => ledger.grants.events('a'),
        session: () => ledger.grants.session('a'),
        checkout: () => ledger.checkout.find('a'),
        keys: () => ledger.keys.records(),
        watched: () => ledger.watchlist.has({ payer: 'a', provider: 'gateway_batched' }),
        watchlist: () => ledger.watchlist.list(),
        figures: () => ledger.figures({ nowMs, withinMs: 60_000 }),
        check: () => ledger.check(),
        export: async () => {
          for await (const _ of ledger.export({ fromMs: 0, toMs: nowMs })) break;
        },
      };
      const answers = Object.entries(reads).map(async ([name, read]) => [
        name,
        await read().then(
          () => 'answered',
          (error) => error.code,
        ),
      ]);
      await locked.waiting(answers.length);
      await server.kill();
      expect(Object.fromEntries(await Promise.all(answers))).toEqual(
        Object.fromEntries(Object.keys(reads).map((name) => [name, 'settlement_unavailable'])),
      );
      await server.start();
      expect((await ledger.findClaim(claimKey))?.receipt.chargeStatus).toBe('submitted');
      await ledger.close();
    });

    test('ended in the middle of a claim: what cannot be read back either stays unknown (P8.16)', async () => {
      await server.create('claims');
      const ledger = ledgerOf('claims');
      await ledger.open();
      const url = server.url('claims');
      const locked = await lockedTables({ url, tables: ['payments'], mode: 'SHARE' });
      const claimed = ledger.claim(exampleClaim(1)).catch((error) => error.code);
      await locked.waiting(1);
      await server.kill();
      expect(await claimed).toBe('store_unwritable');
      await server.start();
      expect((await ledger.claim(exampleClaim(1))).won).toBe(true);
      await ledger.close();
    });

    test('a killed server keeps every acknowledged claim and settlement (P12.14)', async () => {
      await server.create('crash');
      const ledger = ledgerOf('crash');
      await ledger.open();
      const settled: number[] = [];
      const pay = async (n: number) => {
        await ledger.claim(exampleClaim(n));
        await ledger.transition(exampleTransition(n, 'settled'));
        settled.push(n);
        if (settled.length === 60) await server.kill();
      };
      await Promise.allSettled(Array.from({ length: 200 }, (_, i) => pay(i + 1)));
      await server.start();
      const statusOf = async (n: number) =>
        (await ledger.findClaim(exampleClaim(n).claimKey))?.receipt.chargeStatus;
      expect(settled.length).toBeGreaterThanOrEqual(60);
      for (const n of settled) expect(await statusOf(n)).toBe('settled');
      expect((await ledger.check()).problems).toEqual([]);
      await ledger.close();
    });
  },
);
