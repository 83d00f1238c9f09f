import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type PostgresServer,
  postgresMissing,
  startPostgresServer,
} from '../../fixtures/replicas/postgresServer.ts';
import { olderLedger } from '../../fixtures/rigs/ledger/olderLedger.ts';
import { readConfig } from '../config/config.ts';
import { ledgerAt } from '../ledger/openLedger.ts';
import type { Ledger } from '../ledger/port/ledger.ts';
import type { LedgerAddress } from '../ledger/port/ledgerAddress.ts';
import { systemTime } from '../ledger/systemTime.ts';
import { checkConfiguration } from './checkConfiguration.ts';
import { mountLedgerCommands } from './ledgerCommands.ts';

let directory: string;
let path: string;
let address: LedgerAddress;
let failed: boolean;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'ledger.db');
  address = { kind: 'sqlite', path };
  failed = false;
});
afterEach(() => rmSync(directory, { recursive: true }));

async function openLedger(): Promise<Ledger> {
  const ledger = ledgerAt({
    address,
    time: systemTime,
    log: () => {},
    onFatal: (error) => {
      throw error;
    },
  });
  await ledger.open();
  return ledger;
}

async function run(...words: string[]): Promise<Record<string, unknown>> {
  let out = '';
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  mountLedgerCommands(program, {
    openLedger,
    address: () => address,
    gatewayAsset: () => '0xasset',
    chainCheck: async () => ({ chains: [], problems: [] }),
    reconcile: async () => ({}),
    time: systemTime,
    write: (text) => {
      out += text;
    },
    writeError: () => {},
    validationFailed: () => {
      failed = true;
    },
  });
  await program.parseAsync(['ledger', ...words], { from: 'user' });
  return JSON.parse(out) as Record<string, unknown>;
}

describe('ledger upgrade (P8.13)', () => {
  test('is named by every command and start that meets a ledger of an older version', async () => {
    olderLedger({ path, payments: 1 });
    const refusal = {
      code: 'configuration',
      message: 'The ledger has schema version 1; this program reads version 2.',
      hint: 'Stop every process that uses the ledger and run issuer-serve ledger upgrade, which makes a backup first.',
    };
    await expect(openLedger()).rejects.toMatchObject(refusal);
    await expect(run('check')).rejects.toMatchObject(refusal);
    await expect(run('show', 'rcpt_1')).rejects.toMatchObject(refusal);
    const config = readConfig({
      environment: { II_DATA: directory, II_LEDGER: `sqlite:${path}` },
      envFile: join(import.meta.dirname, '../demo.env'),
    });
    const { ledger, problems } = await checkConfiguration({ config, time: systemTime });
    expect(ledger.state).toBe('unusable');
    expect(problems[0]).toBe(`${refusal.message} ${refusal.hint}`);
  });

  test('prints what it rebuilt, where the backup is, and the second time that nothing is to do', async () => {
    olderLedger({ path, payments: 2 });
    const backup = join(directory, 'before.db');
    const where = { ok: true, ledger: path, schema_version: '2' };
    expect(await run('upgrade', '--backup', backup)).toEqual({
      ...where,
      upgraded: true,
      from_version: '1',
      backup,
      newest_event: 10,
      receipts: 6,
      payments: 2,
      problems: [],
    });
    expect(await run('upgrade')).toEqual({ ...where, upgraded: false, reason: 'is_current' });
    expect(await run('check')).toMatchObject({ ok: true, receipts: 6 });
  });

  test('ends with 5 when the books of the rebuilt ledger break', async () => {
    olderLedger({ path, payments: 1 });
    const database = new DatabaseSync(path);
    database.exec('DROP TRIGGER receipts_no_delete');
    database.close();
    const problem = { rule: 'schema_in_force', subject: 'trigger receipts_no_delete', detail: 'missing' };
    expect(await run('upgrade')).toMatchObject({ ok: false, upgraded: true, problems: [problem] });
    expect(failed).toBe(true);
  });

  test('follows the restoring of a backup that is older than the program', async () => {
    olderLedger({ path, payments: 2 });
    const backup = join(directory, 'before.db');
    await run('upgrade', '--backup', backup);
    const restored = await run('restore', backup, '--as', 'ada');
    expect(restored['next']).toMatch(/^issuer-serve ledger upgrade, then issuer-serve ledger check --chain/);
    await expect(run('check')).rejects.toMatchObject({ code: 'configuration' });
    expect(await run('upgrade')).toMatchObject({ upgraded: true, payments: 2 });
    // it is still a copy, which takes no payments before the chain was compared
    expect(await run('check')).toMatchObject({ ok: true, restored_copy: 'takes_no_payments' });
  });

  test('backs up a ledger of an older version as it is', async () => {
    olderLedger({ path, payments: 1 });
    expect(await run('backup', join(directory, 'before.db'))).toMatchObject({ ok: true, receipts: 3 });
  });
});

const missing = postgresMissing();
describe.skipIf(missing !== null)(
  `ledger upgrade of a PostgreSQL ledger${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let server: PostgresServer;
    beforeEach(async () => {
      server = await startPostgresServer({ inMemory: true });
      await server.create('ledger');
      address = { kind: 'postgres', connection: server.url('ledger'), markPath: join(directory, 'mark') };
    });
    afterEach(() => server.stop());

    test('changes nothing: its tables have no older form', async () => {
      await expect(run('upgrade')).rejects.toMatchObject({ code: 'input_missing' });
      await (await openLedger()).close();
      expect(await run('upgrade')).toMatchObject({ ok: true, upgraded: false, reason: 'is_current' });
      expect(await run('check')).toMatchObject({ ok: true });
    });
  },
);
