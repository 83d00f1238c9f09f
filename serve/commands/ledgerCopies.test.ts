import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  exampleClaim,
  exampleShadow,
  exampleTransition,
} from '../../fixtures/rigs/ledgerConformance/examples.ts';
import { readMark } from '../ledger/ledgerMark.ts';
import { systemTime } from '../ledger/openLedger.ts';
import type { Ledger } from '../ledger/port/ledger.ts';
import type { LedgerAddress } from '../ledger/port/ledgerAddress.ts';
import { inspectLedger } from '../ledger/sqlite/schema/applySchema.ts';
import { sqliteLedger } from '../ledger/sqlite/sqliteLedger.ts';
import { mountLedgerCommands } from './ledgerCommands.ts';
import type { ChainCheck } from './readLedger.ts';

let directory: string;
let path: string;
let file: string;
let address: LedgerAddress;
let chain: ChainCheck;
let comparedFrom: number;
let failed: boolean;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'ledger.db');
  file = join(directory, 'backup.db');
  address = { kind: 'sqlite', path };
  chain = { chains: [], problems: [] };
  [comparedFrom, failed] = [0, false];
});
afterEach(() => rmSync(directory, { recursive: true }));

async function opened(at = path): Promise<Ledger> {
  const ledger = sqliteLedger({
    path: at,
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
  mountLedgerCommands(program, async () => ({
    openLedger: () => opened(),
    address: () => address,
    gatewayAsset: () => '0xasset',
    chainCheck: async ({ fromMs }) => {
      comparedFrom = fromMs;
      return chain;
    },
    reconcile: async () => ({}),
    time: systemTime,
    write: (text) => {
      out += text;
    },
    writeError: () => {},
    validationFailed: () => {
      failed = true;
    },
  }));
  await program.parseAsync(['ledger', ...words], { from: 'user' });
  return JSON.parse(out) as Record<string, unknown>;
}

async function pay(ledger: Ledger, ...numbers: readonly number[]): Promise<void> {
  for (const n of numbers) {
    await ledger.claim(exampleClaim(n));
    await ledger.transition(exampleTransition(n, 'settled'));
  }
}

async function paid(...numbers: readonly number[]): Promise<void> {
  const ledger = await opened();
  await pay(ledger, ...numbers);
  await ledger.close();
}

describe('ledger backup (P8.12)', () => {
  test('copies a ledger that is being written: one snapshot, one file, proven, for its owner alone', async () => {
    const ledger = await opened();
    await pay(ledger, 1, 2);
    let writing = true;
    const writer = (async () => {
      for (let n = 3; writing; n += 1) await pay(ledger, n);
    })();
    const report = await run('backup', file);
    writing = false;
    await writer;
    const written = (await ledger.check()).payments;
    await ledger.close();
    expect(report).toMatchObject({ ok: true, file, problems: [] });
    expect(report['bytes']).toBe(statSync(file).size);
    expect(Number(report['payments'])).toBeGreaterThanOrEqual(2);
    expect(Number(report['payments'])).toBeLessThanOrEqual(written);
    // a settled payment is three journal rows, the one in flight at least two
    expect(Number(report['newest_event'])).toBeGreaterThan(3 * (Number(report['payments']) - 1));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory).filter((name) => name.startsWith('backup'))).toEqual(['backup.db']);
    const copy = await opened(file);
    expect(await copy.check()).toMatchObject({ payments: report['payments'], problems: [] });
    await copy.close();
  });

  test('replaces no file, and says where there is no ledger', async () => {
    await expect(run('backup', file)).rejects.toMatchObject({ code: 'input_missing' });
    await paid(1);
    writeFileSync(file, 'of somebody else');
    await expect(run('backup', file)).rejects.toMatchObject({ code: 'usage' });
    await expect(run('backup', join(directory, 'nowhere', 'x.db'))).rejects.toMatchObject({
      code: 'store_unwritable',
    });
    expect(statSync(file).size).toBe(16);
  });

  test('leaves nothing of a ledger that is damaged', async () => {
    writeFileSync(path, 'no ledger at all, but a text of more bytes than a header has'.repeat(20));
    await expect(run('backup', file)).rejects.toMatchObject({ code: 'validation_failed' });
    expect(readdirSync(directory)).toEqual(['ledger.db']);
  });

  test('a ledger or backup of another schema version is neither copied nor restored (P8.13)', async () => {
    await paid(1);
    await run('backup', file);
    for (const place of [path, file]) {
      const database = new DatabaseSync(place);
      database.exec("UPDATE ledger_meta SET value = '2' WHERE key = 'schema_version'");
      database.close();
    }
    const refusal = {
      code: 'configuration',
      message: 'The ledger has schema version 2; this program reads version 3.',
    };
    await expect(run('backup', join(directory, 'second.db'))).rejects.toMatchObject(refusal);
    await expect(run('restore', file, '--as', 'ada')).rejects.toMatchObject(refusal);
    await expect(run('check')).rejects.toMatchObject(refusal);
    expect(readdirSync(directory).filter((name) => /second|restoring|replaced/.test(name))).toEqual([]);
  });

  test('copies books that do not balance, and says so', async () => {
    const ledger = await opened();
    await pay(ledger, 1);
    await ledger.close();
    const database = new DatabaseSync(path);
    database.exec("DROP TRIGGER payments_origin; UPDATE payments SET receipt_id = 'rcpt_lost'");
    database.close();
    expect((await run('backup', file))['problems']).toContainEqual({
      rule: 'claim_has_its_receipt',
      subject: 'rcpt_lost',
      detail: 'x402_exact',
    });
    expect([failed, existsSync(file)]).toEqual([true, true]);
  });

  test.each(['backup', 'restore'])('%s names what copies a PostgreSQL ledger instead', async (name) => {
    address = { kind: 'postgres', connection: 'postgres://me:secret@127.0.0.1/x', markPath: path };
    const words = name === 'restore' ? [name, file, '--as', 'ada'] : [name, file];
    await expect(run(...words)).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining(name === 'restore' ? 'pg_restore' : 'pg_dump'),
    });
  });
});

describe('a backup that is restored (P8.12, S38)', () => {
  beforeEach(async () => {
    await paid(1, 2);
    await run('backup', file);
  });

  test('takes no payments before the chain was looked at, back to when it was made', async () => {
    expect(await run('restore', file, '--as', 'ada')).toMatchObject({ ok: true, ledger: path, payments: 2 });
    // check-config reads it before the first start
    expect(inspectLedger(path)).not.toBe('absent');
    const ledger = await opened();
    expect((await ledger.health()).reason).toBe('restored_copy');
    await expect(ledger.claim(exampleClaim(3))).rejects.toMatchObject({ code: 'settlement_unavailable' });
    await ledger.close();
    expect(await run('check')).not.toHaveProperty('chains');
    expect((await run('check', '--chain'))['restored_copy']).toBe('accepted');
    expect(comparedFrom).toBeLessThan(exampleClaim(1).receipt.createdMs);
    await paid(3);
    expect(await run('check')).not.toHaveProperty('restored_copy');
    expect((await run('check'))['payments']).toBe(3);
  });

  test('is noticed on a machine that knows nothing of the ledger, file by file copied', async () => {
    path = join(directory, 'elsewhere', 'ledger.db');
    address = { kind: 'sqlite', path };
    await run('restore', file, '--as', 'ada');
    const ledger = await opened();
    expect((await ledger.health()).reason).toBe('restored_copy');
    await ledger.close();
    const plain = join(directory, 'plain.db');
    copyFileSync(file, plain);
    const copied = await opened(plain);
    expect((await copied.health()).reason).toBe('restored_copy');
    await copied.close();
  });

  test('is refused when newer journal rows are known here, unless forced; what was there is kept', async () => {
    await paid(3);
    const known = readMark(`${path}.mark`).newestEvent;
    await expect(run('restore', file, '--as', 'ada')).rejects.toMatchObject({
      code: 'validation_failed',
      details: { known, newest: 6 },
    });
    expect(inspectLedger(path)).not.toBe('absent');
    const report = await run('restore', file, '--force', '--as', 'ada');
    expect(report).toMatchObject({ ok: true, payments: 2, newest_event: 6 });
    const replaced = await opened(String(report['replaced']));
    expect((await replaced.check()).payments).toBe(3);
    await replaced.close();
    // what it has forgotten is listed; then an operator decides
    chain = { chains: [], problems: [{ rule: 'transfer_has_receipt', subject: '0x3', detail: 'x' }] };
    expect((await run('check', '--chain'))['restored_copy']).toBe('takes_no_payments');
    await expect(run('check', '--chain', '--accept')).rejects.toMatchObject({ code: 'usage' });
    const accepted = await run('check', '--chain', '--accept', '--as', 'ada');
    expect(accepted).toMatchObject({ ok: false, restored_copy: 'accepted' });
    expect(readMark(`${path}.mark`)).toMatchObject({ newestEvent: 6, acceptedBy: 'operator:ada' });
    const ledger = await opened();
    expect((await ledger.health()).status).toBe('ok');
    await ledger.close();
  });

  test('replaces no ledger that is in use', async () => {
    const ledger = await opened();
    await expect(run('restore', file, '--as', 'ada')).rejects.toMatchObject({ code: 'locked' });
    await pay(ledger, 3);
    expect((await ledger.check()).problems).toEqual([]);
    await ledger.close();
    expect(readdirSync(directory).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  test('takes the place of a ledger that can no longer be read', async () => {
    writeFileSync(path, 'a disk that forgot everything'.repeat(200));
    expect(await run('restore', file, '--as', 'ada')).toMatchObject({ ok: true, payments: 2 });
    expect((await run('check'))['payments']).toBe(2);
    expect(readdirSync(directory).some((name) => name.startsWith('ledger.db.replaced-'))).toBe(true);
  });

  test('keeps taking uncharged receipts meanwhile, and stays a copy', async () => {
    await run('restore', file, '--as', 'ada');
    const ledger = await opened();
    for (let n = 5; n < 15; n += 1) ledger.noteNotCharged(exampleShadow(n));
    await ledger.close();
    const again = await opened();
    expect((await again.health()).reason).toBe('restored_copy');
    await again.close();
  });
});
