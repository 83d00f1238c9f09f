import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  exampleClaim,
  exampleTransition,
  hashOf,
  payerOf,
} from '../../fixtures/rigs/ledgerConformance/examples.ts';
import { exportColumnNames } from '../ledger/books/export.ts';
import { systemTime } from '../ledger/openLedger.ts';
import type { Ledger } from '../ledger/port/ledger.ts';
import { openDatabase } from '../ledger/sqlite/schema/openDatabase.ts';
import { sqliteLedger } from '../ledger/sqlite/sqliteLedger.ts';
import { mountLedgerCommands } from './ledgerCommands.ts';
import type { ChainCheck } from './readLedger.ts';

let directory: string;
let path: string;
let out: string;
let err: string;
let failed: boolean;
let chain: ChainCheck;

async function openLedger(): Promise<Ledger> {
  const ledger = sqliteLedger({
    path,
    time: systemTime,
    log: () => {},
    onFatal: (error) => {
      throw error;
    },
  });
  await ledger.open();
  return ledger;
}

async function run(...words: string[]): Promise<void> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  mountLedgerCommands(program, async () => ({
    openLedger,
    address: () => ({ kind: 'sqlite', path }),
    gatewayAsset: () => '0xasset',
    chainCheck: async () => chain,
    reconcile: async () => ({ looked: 0, moved: 0, left: 0 }),
    time: systemTime,
    write: (text) => {
      out += text;
    },
    writeError: (text) => {
      err += text;
    },
    validationFailed: () => {
      failed = true;
    },
  }));
  await program.parseAsync(['ledger', ...words], { from: 'user' });
}

const receiptId = (n: number) => exampleClaim(n).receipt.receiptId;
const day = Date.UTC(2026, 1, 7);

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'ledger.db');
  [out, err, failed, chain] = ['', '', false, { chains: [], problems: [] }];
  const ledger = await openLedger();
  for (const n of [1, 2, 3]) {
    await ledger.claim(exampleClaim(n, { atMs: day + n * 1000 }));
    await ledger.transition(exampleTransition(n, 'settled', { atMs: day + n * 1000 + 500 }));
  }
  await ledger.close();
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('ledger show and export', () => {
  test('show prints receipt, payment and journal', async () => {
    await run('show', receiptId(1));
    expect(JSON.parse(out)).toMatchObject({
      receipt_id: receiptId(1),
      charge_status: 'settled',
      settlement_tx_hash: hashOf(1),
      settled_at_utc: '2026-02-07T00:00:01Z',
      payment: { provider: 'x402_exact', phase: 'accepted' },
      journal: [
        { from: '', to: 'authorized', actor: 'handler' },
        { from: 'authorized', to: 'submitted', actor: 'handler' },
        { from: 'submitted', to: 'settled', actor: 'handler' },
      ],
    });
    await expect(run('show', 'rcpt_nobody')).rejects.toMatchObject({ code: 'input_missing' });
  });

  test('export writes the days asked for, the report goes to standard error (I5.31, P8.61)', async () => {
    await run('export', '--from', '2026-02-07', '--to', '2026-02-07', '--format', 'csv');
    const lines = out.split('\r\n');
    expect(lines[0]).toBe(exportColumnNames.join(','));
    expect(lines).toHaveLength(5);
    expect(lines[1]).toContain(receiptId(1));
    expect(JSON.parse(err)).toMatchObject({ rows: 3, ok: true, problems: [], charged_micro_usd: 300_000 });
    out = '';
    await run('export', '--from', '2026-02-08', '--to', '2026-02-09', '--format', 'jsonl');
    expect(out).toBe('');
    await expect(run('export', '--from', '2026-02-08', '--to', '2026-02-07')).rejects.toMatchObject({
      code: 'usage',
    });
    await expect(run('export', '--from', '7.2.', '--to', '2026-02-07')).rejects.toMatchObject({
      code: 'usage',
    });
    expect(failed).toBe(false);
  });
});

describe('ledger check', () => {
  test('balanced books are ok; a broken rule is named and fails (I5.33)', async () => {
    await run('check');
    expect(JSON.parse(out)).toMatchObject({ ok: true, receipts: 3, payments: 3, problems: [] });
    const database = openDatabase({ path, mode: 'write' });
    database.exec(
      "DROP TRIGGER payments_origin; UPDATE payments SET receipt_id = 'rcpt_lost' WHERE amount_micro = 100000 AND next_check_ms IS NULL AND tx_hash = (SELECT min(tx_hash) FROM payments)",
    );
    database.close();
    out = '';
    await run('check');
    const found = JSON.parse(out) as { problems: { rule: string; subject: string }[] };
    expect(found.problems.map(({ rule, subject }) => `${rule} ${subject}`)).toEqual([
      expect.stringMatching(/^receipt_has_one_cause rcpt_/),
      'claim_has_its_receipt rcpt_lost',
      'schema_in_force trigger payments_origin',
    ]);
    expect(failed).toBe(true);
  });

  test('what the chain check finds fails as well (P8.55)', async () => {
    const chains = [{ rail: 'mpp', network: 'eip155:1337', transfers: 4 }] as const;
    chain = { chains, problems: [{ rule: 'transfer_has_receipt', subject: '0x5', detail: 'x' }] };
    await run('check', '--chain');
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      chains,
      problems: [{ rule: 'transfer_has_receipt' }],
    });
    expect(failed).toBe(true);
  });
});

describe('corrections (T10–T13)', () => {
  const status = async (n: number) => {
    out = '';
    await run('show', receiptId(n));
    return (JSON.parse(out) as { charge_status: string }).charge_status;
  };

  test('refund, dispute and both decisions are journalled under the operator', async () => {
    await run('refund', receiptId(1), '--reference', 'bank 7', '--usd', '0.04', '--as', 'ada');
    await run('dispute', receiptId(2), '--reason', 'not as described', '--as', 'ada');
    await run('resolve', receiptId(2), '--outcome', 'seller', '--as', 'ada');
    await run('dispute', receiptId(3), '--reason', 'twice', '--as', 'ada');
    await run('resolve', receiptId(3), '--outcome', 'payer', '--reference', 'bank 8', '--as', 'ada');
    expect([await status(1), await status(2), await status(3)]).toEqual(['refunded', 'settled', 'refunded']);
    expect(JSON.parse(out).journal.at(-1)).toMatchObject({
      actor: 'operator:ada',
      reason: 'resolved for payer',
      external_reference: 'bank 8',
    });
    out = '';
    await run('check');
    expect(JSON.parse(out)).toMatchObject({ ok: true, problems: [] });
  });

  test.each([
    [['refund', receiptId(1), '--reference', 'x', '--usd', '0.100001', '--as', 'ada'], 'usage'],
    [['refund', receiptId(1), '--reference', 'x', '--usd', '0', '--as', 'ada'], 'usage'],
    [['refund', receiptId(1), '--reference', 'x', '--as', 'iik_AAAAABBBBB'], 'usage'],
    [['refund', 'rcpt_nobody', '--reference', 'x', '--as', 'ada'], 'input_missing'],
    [['resolve', receiptId(1), '--outcome', 'seller', '--as', 'ada'], 'usage'],
    [['resolve', receiptId(1), '--outcome', 'payer', '--as', 'ada'], 'usage'],
    [['resolve', receiptId(1), '--outcome', 'nobody', '--as', 'ada'], 'usage'],
    [['watchlist', 'add', '0x12', '--as', 'ada'], 'usage'],
  ] as const)('refuses %j', async (words, code) => {
    await expect(run(...words)).rejects.toMatchObject({ code });
    expect(await status(1)).toBe('settled');
  });

  test('the watch list takes a wallet in any letter case and lets it go', async () => {
    const wallet = payerOf(171);
    await run('watchlist', 'add', wallet.toUpperCase().replace('0X', '0x'), '--as', 'ada');
    await run('watchlist', 'add', wallet, '--as', 'ada');
    await run('watchlist', 'remove', wallet, '--as', 'ada');
    await run('watchlist', 'remove', wallet, '--as', 'ada');
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { outcome: string }).outcome),
    ).toEqual(['added', 'already_listed', 'removed', 'not_listed']);
  });
});
