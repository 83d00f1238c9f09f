import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exampleKey, exampleKeyId, exampleReceipt } from '../../../../fixtures/rigs/ledger/ledgerReceipts.ts';
import { notChargedRow, unchargedReceipt } from '../../rows/receipt.ts';
import { operationRunner } from '../writer/serveWriter.ts';
import { applySchema } from './applySchema.ts';
import { openDatabase } from './openDatabase.ts';

let directory: string;
let database: DatabaseSync;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  database = openDatabase({ path: join(directory, 'ledger.db'), mode: 'write' });
  applySchema(database);
  const run = operationRunner(database);
  run({ kind: 'cold', name: 'createKey', input: exampleKey, nowMs: 0 });
  run(unchargedReceipt(notChargedRow(exampleReceipt(1))));
});

afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true });
});

const first = exampleReceipt(1).receiptId;

test('the schema of P8.13 loads once and is recognised the second time', () => {
  expect(applySchema(database)).toBe('present');
  const tables = database.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
  );
  expect(
    tables
      .all()
      .map((t) => t['name'])
      .sort(),
  ).toEqual([
    'api_keys',
    'challenges',
    'checkout_sessions',
    'grant_debits',
    'grant_events',
    'grant_sessions',
    'grants',
    'idempotency_keys',
    'ledger_meta',
    'payer_watchlist',
    'payment_aliases',
    'payments',
    'receipt_events',
    'receipt_transitions',
    'receipts',
    'settlement_jobs',
    'signer_leases',
    'webhook_events',
  ]);
});

test('a T1 insert writes exactly one journal row by trigger (I3.5, P8.26)', () => {
  const rows = database.prepare('SELECT * FROM receipt_events').all();
  expect(rows).toEqual([
    expect.objectContaining({
      receipt_id: first,
      from_status: '',
      to_status: 'not_charged',
      actor: 'handler',
      reason: 'api_key',
      at_ms: exampleReceipt(1).createdMs,
    }),
  ]);
});

test('a receipt inserted again stays one row with one journal row (P8.10)', () => {
  operationRunner(database)(unchargedReceipt(notChargedRow(exampleReceipt(1))));
  expect(database.prepare('SELECT count(*) AS n FROM receipts').get()).toEqual({ n: 1 });
  expect(database.prepare('SELECT count(*) AS n FROM receipt_events').get()).toEqual({ n: 1 });
});

test('the stored receipt holds what was handed over, money in whole micro-USD (P0.2)', () => {
  const row = database.prepare('SELECT * FROM receipts').get();
  expect(row).toMatchObject({
    receipt_id: first,
    settlement_mode: 'api_key_not_charged',
    charge_status: 'not_charged',
    quoted_micro: 40_000,
    charged_micro: 0,
    payer_identity: 'apikey:AAAAABBBBB',
    api_key_id: exampleKeyId,
    claim_key: null,
    grant_id: null,
    source_date: '2026-02-07',
    quality_flags: '["gateway_not_used"]',
    delivery_status: 'pending',
  });
});

describe('hand-written SQL cannot leave the rules (S11)', () => {
  const forbidden: [string, string, RegExp][] = [
    ['a transition outside the table', "UPDATE receipts SET charge_status = 'settled'", /illegal_transition/],
    [
      'a status outside the mode',
      "UPDATE receipts SET charge_status = 'failed', actor = 'recovery'",
      /illegal_transition/,
    ],
    ['charging an uncharged receipt', 'UPDATE receipts SET charged_micro = 40000', /CHECK/],
    ['deleting a receipt', 'DELETE FROM receipts', /append_only/],
    ['deleting the journal', 'DELETE FROM receipt_events', /append_only/],
    ['rewriting the journal', "UPDATE receipt_events SET actor = 'operator:eve'", /append_only/],
    ['another receipt id', "UPDATE receipts SET receipt_id = 'rcpt_x'", /immutable_receipt/],
    ['another reconciliation key', "UPDATE receipts SET reconciliation_key = 'rec_x'", /immutable_receipt/],
    ['another payer', "UPDATE receipts SET payer_identity = 'apikey:EVE'", /immutable_receipt/],
    ['another price', 'UPDATE receipts SET quoted_micro = 1', /immutable_receipt/],
    ['another artifact', "UPDATE receipts SET artifact_version = 'x'", /immutable_receipt/],
    ['another time', 'UPDATE receipts SET created_ms = 1', /immutable_receipt/],
    ['another mode', "UPDATE receipts SET settlement_mode = 'shadow_unsettled'", /immutable_receipt/],
    ['replacing a receipt', 'INSERT OR REPLACE INTO receipts SELECT * FROM receipts', /append_only/],
    [
      'a receipt with the row number of another',
      `INSERT OR REPLACE INTO receipts (rowid, receipt_id, reconciliation_key, response_id, request_id, route_id, route_uri,
         fingerprint, settlement_mode, charge_status, quoted_micro, artifact_key, artifact_version, actor, created_ms, updated_ms)
       SELECT rowid, 'rcpt_2', 'rec', 'resp', 'req', 'R01', 'GET /', fingerprint, 'shadow_unsettled', 'not_charged', 1,
         'a', 'v', 'handler', 1, 1 FROM receipts`,
      /append_only/,
    ],
    ['a receipt without a key', 'UPDATE receipts SET receipt_id = NULL', /immutable_receipt/],
    [
      'replacing the journal',
      'INSERT OR REPLACE INTO receipt_events SELECT * FROM receipt_events',
      /append_only/,
    ],
    [
      'a receipt that starts as settled',
      `INSERT INTO receipts (receipt_id, reconciliation_key, response_id, request_id, route_id, route_uri, fingerprint,
         settlement_mode, charge_status, quoted_micro, charged_micro, claim_key, artifact_key, artifact_version, actor,
         settlement_tx_hash, created_ms, updated_ms)
       SELECT 'rcpt_2', 'rec', 'resp', 'req', 'R01', 'GET /', fingerprint, 'x402_direct', 'settled', 1, 1, fingerprint,
         'a', 'v', 'handler', '0x', 1, 1 FROM receipts`,
      /illegal_transition/,
    ],
    [
      'an uncharged receipt made by an operator',
      `INSERT INTO receipts (receipt_id, reconciliation_key, response_id, request_id, route_id, route_uri, fingerprint,
         settlement_mode, charge_status, quoted_micro, api_key_id, artifact_key, artifact_version, actor, created_ms, updated_ms)
       SELECT 'rcpt_2', 'rec', 'resp', 'req', 'R01', 'GET /', fingerprint, 'api_key_not_charged', 'not_charged', 1,
         api_key_id, 'a', 'v', 'operator:eve', 1, 1 FROM receipts`,
      /illegal_transition/,
    ],
    [
      'a receipt of an unknown key',
      `INSERT INTO receipts (receipt_id, reconciliation_key, response_id, request_id, route_id, route_uri, fingerprint,
         settlement_mode, charge_status, quoted_micro, api_key_id, artifact_key, artifact_version, actor, created_ms, updated_ms)
       SELECT 'rcpt_2', 'rec', 'resp', 'req', 'R01', 'GET /', fingerprint, 'api_key_not_charged', 'not_charged', 1,
         'NOBODYHERE', 'a', 'v', 'handler', 1, 1 FROM receipts`,
      /FOREIGN KEY/,
    ],
  ];
  test.each(forbidden)('%s', (_name, sql, refusal) => {
    const before = database.prepare('SELECT * FROM receipts').all();
    expect(() => database.prepare(sql).run()).toThrow(refusal);
    expect(database.prepare('SELECT * FROM receipts').all()).toEqual(before);
    expect(database.prepare('SELECT count(*) AS n FROM receipt_events').get()).toEqual({ n: 1 });
  });
});

test('a database of something else is refused and gets no table', () => {
  const other = openDatabase({ path: join(directory, 'other.db'), mode: 'write' });
  other.exec('CREATE TABLE songs (title TEXT)');
  expect(() => applySchema(other)).toThrow(/another program/);
  expect(other.prepare('SELECT name FROM sqlite_schema').all()).toEqual([{ name: 'songs' }]);
  other.close();
});
