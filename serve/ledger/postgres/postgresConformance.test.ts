import { randomUUID } from 'node:crypto';
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
import { columnTables } from '../../../fixtures/rigs/ledger/columnTables.ts';
import { everySuite } from '../../../fixtures/rigs/ledgerConformance/everySuite.ts';
import {
  exampleClaim,
  exampleGrant,
  exampleTransition,
  operator,
} from '../../../fixtures/rigs/ledgerConformance/examples.ts';
import type { LedgerUnderTest } from '../../../fixtures/rigs/ledgerConformance/underTest.ts';
import { systemTime } from '../openLedger.ts';
import type { Ledger } from '../port/ledger.ts';
import { postgresLedger } from './postgresLedger.ts';
import { grantServiceRole } from './schema/serviceRole.ts';

const missing = postgresMissing();

describe.skipIf(missing !== null)(
  `the PostgreSQL ledger${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let server: PostgresServer;
    let directory: string;
    let shared: Ledger;
    let owner: pg.Client;
    let service: pg.Client;
    const serviceUrl = () => server.url('ledger').replace('//ledger@', '//service@');
    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'ledger-'));
      server = await startPostgresServer();
      await server.create('ledger');
      owner = new pg.Client(server.url('ledger'));
      await owner.connect();
      await owner.query('CREATE ROLE service LOGIN');
      const rights = { connection: server.url('ledger'), role: 'service' };
      expect(await grantServiceRole(rights)).toBe('created');
      expect(await grantServiceRole(rights)).toBe('present');
      service = new pg.Client(serviceUrl());
      await service.connect();
      shared = ledgerOf();
      await shared.open();
    });
    afterAll(async () => {
      await owner.end();
      await service.end();
      await shared.close();
      await server.stop();
      rmSync(directory, { recursive: true });
    });

    function ledgerOf(): Ledger {
      return postgresLedger({
        connection: serviceUrl(),
        // the tests empty the tables, which a server with an older mark would take for a restored copy
        markPath: join(directory, `ledger-${randomUUID()}.mark`),
        time: systemTime,
        log: () => {},
      });
    }

    const postgres: LedgerUnderTest = {
      name: 'postgres',
      start: async () => {
        // only a superuser gets past the triggers; the tables stay, their rows go
        await owner.query(`SET session_replication_role = replica;
        TRUNCATE receipts, receipt_events, payments, payment_aliases, settlement_jobs, signer_leases, grants, grant_events,
          grant_sessions, grant_debits, challenges, api_keys, idempotency_keys, checkout_sessions, webhook_events,
          payer_watchlist;
        SET session_replication_role = origin`);
        const opened: Ledger[] = [];
        return {
          ledger: shared,
          second: async () => {
            const ledger = ledgerOf();
            await ledger.open();
            opened.push(ledger);
            return ledger;
          },
          run: async (sql) => (await service.query(sql)).rows,
          stop: async () => {
            for (const ledger of opened) await ledger.close();
          },
        };
      },
    };

    // each in a scope of its own: the hooks of one are not those of the others
    for (const suite of everySuite) describe(suite.name, () => suite(postgres));

    test.each(Object.entries(columnTables))(
      'the columns of %s are those of the PostgreSQL schema',
      async (table, columns) => {
        const types = { text: ['text'], integer: ['bigint', 'integer'], bytes: ['bytea'], json: ['jsonb'] };
        const { rows } = await service.query(
          'SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = $1',
          [table],
        );
        const known = new Map(rows.map((row) => [row['column_name'], row]));
        for (const { name, type, nullable } of Object.values(columns)) {
          expect(types[type], name).toContain(known.get(name)?.['data_type']);
          expect(known.get(name)?.['is_nullable'], name).toBe(nullable ? 'YES' : 'NO');
        }
      },
    );

    describe('the service role (P8.19, S11)', () => {
      test.each([
        'DELETE FROM receipts',
        'DELETE FROM payments',
        'DELETE FROM receipt_events',
        'DELETE FROM grants',
        'DELETE FROM grant_debits',
        'DELETE FROM grant_events',
        'DELETE FROM settlement_jobs',
        'DELETE FROM checkout_sessions',
        'DELETE FROM api_keys',
        'TRUNCATE receipts CASCADE',
        'TRUNCATE challenges',
        "UPDATE receipt_events SET to_status = 'settled'",
        'UPDATE grant_events SET actor = NULL',
        "INSERT INTO receipt_transitions VALUES ('failed', 'settled', 'handler')",
        "UPDATE receipt_transitions SET actor_class = 'handler'",
        "UPDATE ledger_meta SET value = '2'",
        'ALTER TABLE receipts DISABLE TRIGGER ALL',
        'ALTER TABLE receipts ADD COLUMN x int',
        'DROP TABLE receipts',
        'DROP TRIGGER receipts_guard ON receipts',
        'CREATE TABLE mine (x int)',
        'CREATE TEMPORARY TABLE receipt_transitions (x int)',
        'CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$',
        'SET session_replication_role = replica',
      ])('may not: %s', async (sql) => {
        await expect(service.query(sql)).rejects.toMatchObject({ code: '42501' });
      });

      test('cannot move a receipt along a step that is none, or change what it is of', async () => {
        const { ledger } = await postgres.start();
        await ledger.claim(exampleClaim(1));
        for (const change of ["charge_status = 'refunded'", 'quoted_micro = 1', "payer_identity = 'x'"])
          await expect(service.query(`UPDATE receipts SET ${change}`)).rejects.toMatchObject({
            message: expect.stringMatching(/illegal_transition|immutable_receipt|violates check/),
          });
      });

      test('learns by the check of a trigger that its owner disabled, changed or added (S11)', async () => {
        await postgres.start();
        await owner.query(`ALTER TABLE receipt_events DISABLE TRIGGER receipt_events_fixed;
          DROP TRIGGER grant_events_fixed ON grant_events;
          CREATE FUNCTION quiet() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
          CREATE TRIGGER quiet BEFORE UPDATE ON receipts FOR EACH ROW EXECUTE FUNCTION quiet()`);
        const { problems } = await shared.check();
        expect(problems.map(({ rule, subject, detail }) => `${rule}: ${subject} ${detail}`)).toEqual([
          'schema_in_force: trigger grant_events_fixed on grant_events missing',
          'schema_in_force: trigger receipt_events_fixed on receipt_events disabled',
          'schema_in_force: trigger quiet on receipts unknown',
        ]);
        await owner.query(`ALTER TABLE receipt_events ENABLE TRIGGER receipt_events_fixed;
          CREATE TRIGGER grant_events_fixed BEFORE UPDATE OR DELETE ON grant_events FOR EACH ROW EXECUTE FUNCTION append_only();
          DROP TRIGGER quiet ON receipts; DROP FUNCTION quiet()`);
        expect((await shared.check()).problems).toEqual([]);
      });

      test('the owner cannot empty, rewrite or widen a journal by hand either (S11)', async () => {
        const { ledger } = await postgres.start();
        await ledger.claim(exampleClaim(1));
        await ledger.transition(exampleTransition(1, 'settled'));
        const grant = exampleGrant(1);
        await ledger.grants.create({ grant, as: operator, atMs: 1 });
        for (const sql of [
          'TRUNCATE grant_events',
          'TRUNCATE receipt_transitions',
          'TRUNCATE api_keys CASCADE',
          'TRUNCATE grants CASCADE',
          'UPDATE grant_events SET detail = NULL',
          "INSERT INTO receipt_transitions VALUES ('failed', 'settled', 'handler')",
          'DELETE FROM receipt_transitions',
        ])
          await expect(owner.query(sql), sql).rejects.toMatchObject({ message: 'append_only' });
      });

      test('cannot make the tables; the start says who can', async () => {
        await server.create('empty');
        const ledger = postgresLedger({
          connection: server.url('empty').replace('//ledger@', '//service@'),
          markPath: join(directory, 'empty.mark'),
          time: systemTime,
          log: () => {},
        });
        await expect(ledger.open()).rejects.toMatchObject({
          code: 'configuration',
          hint: expect.stringContaining('service-role'),
        });
      });

      test('is none that could undo the rights it was given, and has to exist', async () => {
        const connection = server.url('ledger');
        await expect(grantServiceRole({ connection, role: 'ledger' })).rejects.toMatchObject({
          code: 'configuration',
        });
        await expect(grantServiceRole({ connection, role: 'nobody"; --' })).rejects.toMatchObject({
          code: 'configuration',
          message: expect.stringContaining('does not exist'),
        });
        await expect(grantServiceRole({ connection: serviceUrl(), role: 'service' })).rejects.toMatchObject({
          code: 'configuration',
        });
      });
    });
  },
);
