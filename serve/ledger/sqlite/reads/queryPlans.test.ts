import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { grantStatements } from '../../reads/grantReads.ts';
import { operatorStatements } from '../../reads/operatorReads.ts';
import { receiptStatements } from '../../reads/receiptReads.ts';
import { checkoutWriteStatements, webhookWriteStatements } from '../../writes/checkoutWrites.ts';
import { claimWriteStatements, keyWriteStatements, watchWriteStatements } from '../../writes/coldWrites.ts';
import { grantEvent, grantWriteStatements, sessionWriteStatements } from '../../writes/grantWrites.ts';
import { jobWriteStatements } from '../../writes/jobWrites.ts';
import { applySchema } from '../schema/applySchema.ts';
import { operationRunner } from '../writer/serveWriter.ts';

// Every statement of a request, a settlement or a recovery finds its rows by an index: its cost must not grow with the
// history. What may read a whole table is listed with the reason.

const database = new DatabaseSync(':memory:');
applySchema(database);
const shared = [
  receiptStatements,
  grantStatements,
  operatorStatements,
  checkoutWriteStatements,
  claimWriteStatements,
  grantWriteStatements,
  jobWriteStatements,
  keyWriteStatements,
  sessionWriteStatements,
  watchWriteStatements,
  webhookWriteStatements,
  { grantEvent },
].flatMap((list) => Object.values(list).map(({ sql }) => sql));
const statements: string[] = [...shared];
const listening = new Proxy(database, {
  get(target, name) {
    const member = Reflect.get(target, name, target);
    if (name !== 'prepare') return typeof member === 'function' ? member.bind(target) : member;
    return (sql: string) => {
      statements.push(sql);
      return target.prepare(sql);
    };
  },
});
operationRunner(listening);

function scanned(sql: string): readonly string[] {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
  return steps
    .map((step) => /^SCAN (\w+)\b(?! VIRTUAL)/.exec(String(step['detail']))?.[1] ?? '')
    .filter((table) => table !== '');
}

test('no statement reads the receipts, payments or jobs of the past', () => {
  const whole = statements
    .filter((sql) => scanned(sql).some((table) => /^(receipts|payments|settlement_jobs|r|p)$/.test(table)))
    .map((sql) => sql.replaceAll(/\s+/g, ' ').trim());
  expect(whole.map((sql) => sql.slice(0, 72))).toEqual([
    // only what is queued, from an index of it
    'SELECT coalesce(sum(charged_micro), 0) AS micro FROM receipts WHERE char',
  ]);
});

test('other tables that are read whole hold one row a grant, a key, a payer or a challenge of the last minutes', () => {
  const tables = new Set(statements.flatMap(scanned));
  tables.delete('receipts');
  expect([...tables].sort()).toEqual([
    'api_keys',
    'challenges',
    'checkout_sessions',
    'grant_events',
    'grant_sessions',
    'grants',
    // the live challenges of one wallet
    'live',
    'payer_watchlist',
    'webhook_events',
  ]);
});
