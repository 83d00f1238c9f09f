import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { halfClaimSqlite } from '../../../../fixtures/rigs/ledger/halfClaim.ts';
import { exampleClaim, exampleTransition } from '../../../../fixtures/rigs/ledgerConformance/examples.ts';
import { systemTime } from '../../openLedger.ts';
import type { Ledger } from '../../port/ledger.ts';
import { applySchema } from '../schema/applySchema.ts';
import { openDatabase } from '../schema/openDatabase.ts';
import { sqliteLedger } from '../sqliteLedger.ts';
import { threadWriter } from './writerProtocol.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  path = join(directory, 'ledger.db');
});
afterEach(() => rmSync(directory, { recursive: true }));

function ledgerOf({ workers }: { workers?: Worker[] } = {}): Ledger {
  return sqliteLedger({
    path,
    time: systemTime,
    log: () => {},
    onFatal: (error) => {
      throw error;
    },
    ...(workers === undefined
      ? {}
      : { spawn: threadWriter({ path, onStart: (worker) => workers.push(worker) }) }),
  });
}

test('a writer killed with claims in flight: each is won and there, or failed and not (P8.10, X43)', async () => {
  const workers: Worker[] = [];
  const ledger = ledgerOf({ workers });
  await ledger.open();
  const claims = Array.from({ length: 300 }, (_, i) => ledger.claim(exampleClaim(i + 1)));
  // after the turn in which the batch is posted
  await new Promise((resolve) => setImmediate(resolve));
  await workers[0]?.terminate();
  const outcomes = await Promise.allSettled(claims);
  for (const [i, outcome] of outcomes.entries()) {
    const found = await ledger.findClaim(exampleClaim(i + 1).claimKey);
    expect(found !== null).toBe(outcome.status === 'fulfilled' && outcome.value.won);
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'store_unwritable' });
  }
  await ledger.close();
  expect(workers).toHaveLength(2);
  const again = ledgerOf();
  await again.open();
  expect((await again.check()).problems).toEqual([]);
  await again.close();
});

test('a crash between T2 and T3 has sent nothing, and is ended at once (X36, P8.22)', async () => {
  const database = openDatabase({ path, mode: 'write' });
  applySchema(database);
  halfClaimSqlite(database, exampleClaim(1, { atMs: Date.now() - 60_000 }));
  database.close();
  const ledger = ledgerOf();
  await ledger.open();
  const [found] = await ledger.takeDue({ kind: 'recovery', owner: 'w', leaseMs: 1, limit: 9 });
  expect(found).toMatchObject({
    payment: { phase: 'claimed' },
    receipt: { chargeStatus: 'authorized', handoffMs: null },
  });
  const t9 = exampleTransition(1, 'failed', {
    from: 'authorized',
    actor: 'recovery',
    set: { failureReason: 'abandoned_before_submission' },
  });
  expect(await ledger.transition(t9)).toBe(true);
  expect((await ledger.check()).problems).toEqual([]);
  await ledger.close();
});
