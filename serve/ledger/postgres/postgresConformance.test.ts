import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import {
  type PostgresServer,
  postgresMissing,
  startPostgresServer,
} from '../../../fixtures/replicas/postgresServer.ts';
import { booksSuite } from '../conformance/booksSuite.ts';
import { claimSuite } from '../conformance/claimSuite.ts';
import { figuresSuite } from '../conformance/figuresSuite.ts';
import { grantSuite } from '../conformance/grantSuite.ts';
import { queueSuite } from '../conformance/queueSuite.ts';
import type { LedgerUnderTest } from '../conformance/underTest.ts';
import type { Ledger } from '../ledger.ts';
import { systemTime } from '../systemTime.ts';
import { postgresLedger } from './postgresLedger.ts';

const missing = postgresMissing();

describe.skipIf(missing !== null)(
  `the PostgreSQL ledger${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let server: PostgresServer;
    let directory: string;
    let shared: Ledger;
    let owner: pg.Client;
    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'ledger-'));
      server = await startPostgresServer();
      await server.create('ledger');
      shared = ledgerOf();
      await shared.open();
      owner = new pg.Client(server.url('ledger'));
      await owner.connect();
    });
    afterAll(async () => {
      await owner.end();
      await shared.close();
      await server.stop();
      rmSync(directory, { recursive: true });
    });

    function ledgerOf(): Ledger {
      return postgresLedger({
        connection: server.url('ledger'),
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
        TRUNCATE receipts, receipt_events, payments, settlement_jobs, signer_leases, grants, grant_events,
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
          run: async (sql) => (await owner.query(sql)).rows,
          stop: async () => {
            for (const ledger of opened) await ledger.close();
          },
        };
      },
    };

    claimSuite(postgres);
    grantSuite(postgres);
    queueSuite(postgres);
    booksSuite(postgres);
    figuresSuite(postgres);
  },
);
