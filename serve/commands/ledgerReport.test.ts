import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manualTime } from '../../fixtures/rigs/ledger/ledgerManualTime.ts';
import {
  exampleClaim,
  exampleTransition,
  operator,
  payerOf,
} from '../../fixtures/rigs/ledgerConformance/examples.ts';
import { systemTime } from '../ledger/openLedger.ts';
import type { Ledger } from '../ledger/port/ledger.ts';
import { sqliteLedger } from '../ledger/sqlite/sqliteLedger.ts';
import { mountReport } from './ledgerCommands.ts';

const dayMs = 86_400_000;
const day = Date.UTC(2026, 1, 7);
const time = manualTime(Date.parse('2026-02-08T06:00:00Z'));
let directory: string;
let out: string;
let failed: boolean;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  [out, failed] = ['', false];
});
afterEach(() => rmSync(directory, { recursive: true }));

async function openLedger(): Promise<Ledger> {
  const ledger = sqliteLedger({
    path: join(directory, 'ledger.db'),
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
  const program = new Command().exitOverride();
  mountReport(program, async () => ({
    openLedger,
    time,
    write: (text) => {
      out += text;
    },
    validationFailed: () => {
      failed = true;
    },
  }));
  await program.parseAsync(['report', ...words], { from: 'user' });
}

async function settled(ledger: Ledger, n: number, atMs: number): Promise<void> {
  await ledger.claim(exampleClaim(n, { atMs }));
  await ledger.transition(exampleTransition(n, 'settled', { atMs }));
}

test('a quiet day says in a line each what did not happen, and ends with 0', async () => {
  const ledger = await openLedger();
  for (const n of [1, 2]) await settled(ledger, n, day + n);
  await ledger.close();
  await run();
  expect(out).toMatchInlineSnapshot(`
    "Operator report of 2026-02-07 (UTC), made 2026-02-08 06:00 UTC. USD; what is
    open is open when it was made.

    Nothing needs you.

    RECEIPTS OF THE DAY (1)
      settlement   state    answers    quoted   charged  refunded  from grants
      x402_direct  settled        2  0.200000  0.200000  0.000000     0.000000
      in all                      2  0.200000  0.200000  0.000000     0.000000

    BY ROUTE (1)
      route                                 answers    quoted   charged  refunded  from grants
      R11 GET /v1/covenant-stress/{ticker}        2  0.200000  0.200000  0.000000     0.000000

    REFUNDS AND DISPUTES RECORDED: none
    CARD CHECKOUTS: none
    WATCH LIST, ADDED: none
    API KEYS CREATED, REVOKED, EXPIRING WITHIN 7 DAYS: none
    SETTLEMENTS OPEN FOR OVER AN HOUR: none
    CHARGED AND UNDELIVERED FOR A DAY: none
    CHARGES THAT WAIT FOR YOUR DECISION: none
    QUEUED AT THE GATEWAY, BY PAYER: none
    GRANTS RUNNING OUT OR EXPIRING WITHIN 7 DAYS: none
    "
  `);
  expect(failed).toBe(false);
});

test('a day with something to decide names the receipts and ends with 5 (P8.41, P8.42)', async () => {
  const ledger = await openLedger();
  await settled(ledger, 1, day + 1000);
  ledger.delivered(exampleClaim(1).receipt.receiptId, 'undelivered');
  await ledger.claim(exampleClaim(2, { atMs: day + 23 * 3_600_000 }));
  await settled(ledger, 3, day - 9 * dayMs);
  const set = { refundReference: 'bank 7', refundedMicro: 40_000 };
  await ledger.transition(
    exampleTransition(3, 'refunded', {
      from: 'settled',
      actor: operator,
      reason: 'broken',
      set,
      externalRef: 'bank 7',
      atMs: day,
    }),
  );
  const queued = { provider: 'gateway_batched', payer: payerOf(4), atMs: day + 7000 } as const;
  await ledger.claim(exampleClaim(4, queued));
  const transfer = { gatewayTransferId: 'transfer-4' };
  await ledger.transition(
    exampleTransition(4, 'queued_for_batch', { from: 'authorized', set: transfer, atMs: day + 7000 }),
  );
  await ledger.close();
  await run('--day', '2026-02-07');
  expect(out).toMatchInlineSnapshot(`
    "Operator report of 2026-02-07 (UTC), made 2026-02-08 06:00 UTC. USD; what is
    open is open when it was made.

    NEEDS YOU (2)
      ! 1 of 1 open payment without an outcome for over an hour
        Nobody knows yet whether they were charged; do not refund. Ask chain and
        gateway once more, then read the oldest.
        $ issuer-serve ledger recover; issuer-serve ledger show \\
        rcpt_00000000000000000000000002
      ! 1 answer charged and never delivered, $0.10; 1 for over a day
        Their buyers get them by sending the same payment again, for seven days.
        Refunding is your decision; the report names those of over a day.
        $ issuer-serve ledger report; issuer-serve ledger refund <receipt> \\
        --reference <yours> --as <you>

    RECEIPTS OF THE DAY (3)
      settlement       state             answers    quoted   charged  refunded  from grants
      gateway_batched  queued_for_batch        1  0.100000  0.100000  0.000000     0.000000
      x402_direct      settled                 1  0.100000  0.100000  0.000000     0.000000
      x402_direct      submitted               1  0.100000  0.000000  0.000000     0.000000
      in all                                   3  0.300000  0.200000  0.000000     0.000000

    BY ROUTE (1)
      route                                 answers    quoted   charged  refunded  from grants
      R11 GET /v1/covenant-stress/{ticker}        3  0.300000  0.200000  0.000000     0.000000

    REFUNDS AND DISPUTES RECORDED (1)
      at                    receipt                          step                 charged  refunded  by            why
      2026-02-07 00:00 UTC  rcpt_00000000000000000000000003  settled > refunded  0.100000  0.040000  operator:ada  broken (bank 7)

    CARD CHECKOUTS: none
    WATCH LIST, ADDED: none
    API KEYS CREATED, REVOKED, EXPIRING WITHIN 7 DAYS: none

    SETTLEMENTS OPEN FOR OVER AN HOUR (1)
      age  receipt                          rail        phase      amount  looks  last word
      7 h  rcpt_00000000000000000000000002  x402_exact  calling  0.100000      0

    CHARGED AND UNDELIVERED FOR A DAY (1)
      age      receipt                          settlement    charged  payer                                                   route
      1 d 5 h  rcpt_00000000000000000000000001  x402_direct  0.100000  eip155:8453:0x0000000000000000000000000000000000000001  GET /v1/covenant-stress/{ticker}

    CHARGES THAT WAIT FOR YOUR DECISION: none

    QUEUED AT THE GATEWAY, BY PAYER (1)
      payer                                                   receipts    queued  oldest
      eip155:8453:0x0000000000000000000000000000000000000004         1  0.100000  1 d 5 h

    GRANTS RUNNING OUT OR EXPIRING WITHIN 7 DAYS: none
    "
  `);
  expect(failed).toBe(true);

  out = '';
  await run('--day', '2026-02-07', '--json');
  expect(out.split('\n')).toHaveLength(2);
  expect(JSON.parse(out)).toMatchObject({
    day: '2026-02-07',
    made_at_utc: '2026-02-08T06:00:00Z',
    ok: false,
    totals: { count: 3, charged_micro_usd: 200_000 },
    undelivered_over_a_day: { total: 1, rows: [{ receipt_id: exampleClaim(1).receipt.receiptId }] },
    open_over_an_hour: { count: 1, micro_usd: 100_000 },
    queued_by_payer: { total: 1, receipts: 1, micro_usd: 100_000 },
    corrections: { total: 1, rows: [{ refunded_micro_usd: 40_000, external_reference: 'bank 7' }] },
  });
});

test('what is no day, or has not begun, is refused', async () => {
  for (const wrong of ['7.2.', '2026-02-30', '2026-02-09'])
    await expect(run('--day', wrong)).rejects.toMatchObject({ code: 'usage' });
  await run('--day', '2026-02-08');
  expect(out).toContain('Operator report of 2026-02-08');
});
