import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleReceipt } from '../../../../fixtures/rigs/ledger/ledgerReceipts.ts';
import {
  exampleClaim,
  exampleShadow,
  exampleTransition,
} from '../../../../fixtures/rigs/ledgerConformance/examples.ts';
import { notChargedRow, unchargedReceipt } from '../../rows/receipt.ts';
import { applySchema } from '../schema/applySchema.ts';
import { batchCommitter } from './serveWriter.ts';
import type { Operation } from './writerProtocol.ts';

const atMs = 1_770_458_400_000;
const payments = fc.integer({ min: 1, max: 3 });

const claim = (n: number, input: Parameters<typeof exampleClaim>[1] = {}): Operation => ({
  kind: 'call',
  name: 'claim',
  input: exampleClaim(n, { atMs, ...input }),
});
const settled = (n: number, actor: 'handler' | 'reconciler'): Operation => ({
  kind: 'call',
  name: 'transition',
  input: exampleTransition(n, 'settled', { atMs, actor }),
});
const receipt = (input: Parameters<typeof exampleReceipt>[0] | 'shadow', n: number): Operation =>
  unchargedReceipt(
    notChargedRow(input === 'shadow' ? { ...exampleShadow(50 + n), createdMs: atMs } : exampleReceipt(input)),
  );

const operations = fc.array(
  fc.oneof(
    payments.map((n) => claim(n)),
    payments.map((n) => settled(n, 'handler')),
    payments.map((n) => receipt('shadow', n)),
    // refused by a trigger, a foreign key, a column's check, a column's type, and the binding
    payments.map((n) => settled(n, 'reconciler')),
    payments.map((n) => receipt(n, n)),
    payments.map((n) => claim(n, { amountMicro: -1 })),
    payments.map((n) => claim(n, { validAfter: 'soon' as never })),
    payments.map((n) => claim(n, { payTo: {} as never })),
  ),
  { maxLength: 12 },
);

function ledgerInMemory() {
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON');
  applySchema(database);
  return { database, commit: batchCommitter(database) };
}

function contentOf(database: DatabaseSync) {
  return ['payments', 'receipts', 'receipt_events'].map((table) =>
    database.prepare(`SELECT * FROM ${table}`).all(),
  );
}

test('a batch stores and answers what its operations would one by one: a refused one rolls back alone (P8.7)', () => {
  let refused = 0;
  fc.assert(
    fc.property(operations, (batch) => {
      const together = ledgerInMemory();
      const single = ledgerInMemory();
      const outcome = together.commit(batch);
      const outcomes = batch.map((operation) => single.commit([operation]));
      const results = outcomes.flatMap((one) => (one.kind === 'committed' ? one.results : []));
      expect(outcome).toEqual({ kind: 'committed', results });
      expect(contentOf(together.database)).toEqual(contentOf(single.database));
      refused += results.filter((result) => result?.ok === false).length;
      together.database.close();
      single.database.close();
    }),
    { numRuns: 25 },
  );
  expect(refused).toBeGreaterThan(0);
});
