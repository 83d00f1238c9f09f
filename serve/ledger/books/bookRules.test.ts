import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleKey, exampleKeyId } from '../../../fixtures/rigs/ledger/ledgerReceipts.ts';
import { writerHere } from '../../../fixtures/rigs/ledger/writerHere.ts';
import {
  exampleClaim,
  exampleGrant,
  exampleHold,
  exampleSession,
  exampleShadow,
  exampleTransition,
  hashOf,
  operator,
} from '../../../fixtures/rigs/ledgerConformance/examples.ts';
import { systemTime } from '../openLedger.ts';
import { sqliteLedger } from '../sqlite/sqliteLedger.ts';
import { bookRules, problemsOf } from './bookRules.ts';

// books written past every trigger and constraint: the check names every damage (I5.33)

const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
/** The tables of a ledger as plain tables: no key, no constraint, no trigger. */
const books = new DatabaseSync(':memory:');

beforeAll(async () => {
  const path = join(directory, 'ledger.db');
  await writeBooks(path);
  books.exec(`ATTACH '${path}' AS ledger`);
  const tables = books.prepare("SELECT name FROM ledger.sqlite_schema WHERE type = 'table'").all();
  for (const { name } of tables)
    if (name !== 'sqlite_sequence') books.exec(`CREATE TABLE ${name} AS SELECT * FROM ledger.${name}`);
  books.exec('DETACH ledger');
});
afterAll(() => {
  books.close();
  rmSync(directory, { recursive: true });
});

/** Payments 1–8 of all providers and ends, holds 11–13, an answer for a key 21, one in shadow mode 22. */
async function writeBooks(path: string): Promise<void> {
  const ledger = sqliteLedger({
    path,
    spawn: writerHere(path),
    time: systemTime,
    log: () => {},
    onFatal: (error) => {
      throw error;
    },
  });
  await ledger.open();
  for (const n of [1, 2]) {
    const grant = exampleGrant(n, { budgetMicro: 1_000_000 });
    await ledger.grants.create({ grant, as: operator, atMs: 1 });
    await ledger.grants.mintSession({ session: exampleSession(grant), nonce: null });
  }
  for (const n of [1, 2, 7, 8]) await ledger.claim(exampleClaim(n));
  for (const n of [1, 8]) await ledger.transition(exampleTransition(n, 'settled'));
  await ledger.transition(exampleTransition(7, 'failed'));
  const refund = { refundReference: 'bank 7', refundedMicro: 100_000 };
  await ledger.transition(
    exampleTransition(8, 'refunded', { from: 'settled', actor: operator, set: refund }),
  );
  for (const n of [3, 4]) {
    await ledger.claim(exampleClaim(n, { provider: 'gateway_batched' }));
    const set = { gatewayTransferId: `transfer-${n}` };
    await ledger.transition(exampleTransition(n, 'queued_for_batch', { from: 'authorized', set }));
  }
  for (const n of [5, 6]) {
    await ledger.claim(exampleClaim(n, { provider: 'mpp', txHash: hashOf(n) }));
    await ledger.transition(exampleTransition(n, 'settled'));
  }
  const { grantId } = exampleGrant(1);
  for (const n of [11, 12, 13]) await ledger.hold(exampleHold(n, grantId));
  await ledger.endHold(exampleHold(11, grantId).debitId, 'debited');
  await ledger.endHold(exampleHold(12, grantId).debitId, 'released');
  await ledger.keys.create({ ...exampleKey, replaces: null });
  const keyed = { ...exampleShadow(21), payerIdentity: `apikey:${exampleKeyId}`, apiKeyId: exampleKeyId };
  const { fingerprint } = keyed;
  const idem = { key: 'order-0000001', fingerprint, expiresMs: Date.now() + 86_400_000 };
  await ledger.insertNotCharged(
    { ...keyed, settlementMode: 'api_key_not_charged' },
    { ...idem, holder: `apikey:${exampleKeyId}` },
  );
  await ledger.insertNotCharged(exampleShadow(22), { ...idem, holder: 'shadow' });
  await ledger.close();
}

/** The rules that are broken once these statements have run. */
function brokenBy(...statements: string[]): string[] {
  books.exec('SAVEPOINT forged');
  try {
    for (const statement of statements) expect(books.prepare(statement).run().changes).toBeGreaterThan(0);
    return bookRules
      .filter((rule) => problemsOf(rule, books.prepare(rule.breaches.sql).all()).length > 0)
      .map(nameOf);
  } finally {
    books.exec('ROLLBACK TO forged; RELEASE forged');
  }
}
const nameOf = ({ rule }: { rule: string }): string => rule;

const r = (n: number): string => `receipt_id = '${exampleClaim(n).receipt.receiptId}'`;
const grant = `grant_id = '${exampleGrant(1).grantId}'`;
const other = exampleGrant(2).grantId;
const newest = `event_id = (SELECT max(event_id) FROM receipt_events WHERE ${r(1)})`;
const oldest = `event_id = (SELECT min(event_id) FROM receipt_events WHERE ${r(1)})`;
const journal = (id: string, from: string, to: string, actor: string): string =>
  `INSERT INTO receipt_events VALUES (9999, ${id}, '${from}', '${to}', '${actor}', 'forged', NULL,
    (SELECT updated_ms FROM receipts WHERE receipt_id = ${id}))`;
const id = (n: number): string => `'${exampleClaim(n).receipt.receiptId}'`;

test('books that balance break no rule', () => {
  expect(brokenBy()).toEqual([]);
  expect(new Set(bookRules.map(nameOf)).size).toBe(bookRules.length);
});

describe('a row that is missing or there twice is named', () => {
  test.each<[string, string[], string[]]>([
    [
      'a claim without receipt',
      [`DELETE FROM receipts WHERE ${r(1)}`, `DELETE FROM receipt_events WHERE ${r(1)}`],
      ['claim_has_its_receipt'],
    ],
    ['a receipt without claim', [`DELETE FROM payments WHERE ${r(1)}`], ['receipt_has_one_cause']],
    ['a receipt without debit', [`DELETE FROM grant_debits WHERE ${r(12)}`], ['receipt_has_one_cause']],
    ['a receipt of a key that is not there', ['DELETE FROM api_keys'], ['receipt_has_one_cause']],
    [
      'a key-paid receipt',
      [`DELETE FROM receipts WHERE ${r(21)}`],
      ['idempotency_key_has_its_receipt', 'journal_row_has_its_receipt'],
    ],
    ['a grant with debits', [`DELETE FROM grants WHERE ${grant}`], ['debit_has_its_session']],
    ['the sessions of debits', ['DELETE FROM grant_sessions'], ['debit_has_its_session']],
    [
      'a debit twice, with the budget',
      [
        `INSERT INTO grant_debits SELECT 'dbt_twice', grant_id, session_id, receipt_id, route_id, fingerprint, amount_micro,
        state, hold_until_ms, created_ms, updated_ms FROM grant_debits WHERE ${r(11)}`,
        `UPDATE grants SET spent_micro = 2 * spent_micro WHERE ${grant}`,
      ],
      ['receipt_has_one_debit'],
    ],
    [
      'a claim for two receipts',
      [`UPDATE receipts SET claim_key = (SELECT claim_key FROM receipts WHERE ${r(1)}) WHERE ${r(2)}`],
      ['receipt_has_one_cause', 'payer_is_the_cause', 'claim_has_its_receipt', 'phase_matches_status'],
    ],
    [
      'a reconciliation key for two receipts',
      [
        `UPDATE receipts SET reconciliation_key = (SELECT reconciliation_key FROM receipts WHERE ${r(1)}) WHERE ${r(2)}`,
      ],
      ['reconciliation_key_unique'],
    ],
    [
      'a gateway transfer for two receipts',
      [`UPDATE receipts SET gateway_transfer_id = 'transfer-3' WHERE ${r(4)}`],
      ['transfer_has_one_receipt'],
    ],
    [
      'an MPP transaction for two receipts',
      [`UPDATE receipts SET settlement_tx_hash = '${hashOf(5)}' WHERE ${r(6)}`],
      ['transfer_has_one_receipt'],
    ],
    [
      'an MPP transaction for two claims',
      [`UPDATE payments SET tx_hash = '${hashOf(5)}' WHERE ${r(6)}`],
      ['transfer_has_one_receipt'],
    ],
  ])('%s', (_what, statements, rules) => {
    expect(brokenBy(...statements)).toEqual(rules);
  });
});

describe('money that was changed is named', () => {
  test.each<[string, string[], string[]]>([
    ['spent', [`UPDATE grants SET spent_micro = spent_micro + 1 WHERE ${grant}`], ['budget_equals_debits']],
    ['held', [`UPDATE grants SET held_micro = 0 WHERE ${grant}`], ['budget_equals_debits']],
    [
      'a budget below what is spent',
      [`UPDATE grants SET budget_micro = 1 WHERE ${grant}`],
      ['grant_not_overspent', 'budget_is_journalled', 'exhausted_by_its_remainder'],
    ],
    [
      'a budget without a top-up',
      [`UPDATE grants SET budget_micro = 2 * budget_micro WHERE ${grant}`],
      ['budget_is_journalled'],
    ],
    ['a budget without journal', [`DELETE FROM grant_events WHERE ${grant}`], ['budget_is_journalled']],
    [
      'the amount of a debit, with the budget',
      [
        `UPDATE grant_debits SET amount_micro = 1 WHERE ${r(11)}`,
        `UPDATE grants SET spent_micro = 1 WHERE ${grant}`,
      ],
      ['debit_has_its_receipt'],
    ],
    [
      'a debit given back by hand',
      [`UPDATE grant_debits SET state = 'released' WHERE ${r(11)}`],
      ['budget_equals_debits'],
    ],
    [
      'a debit on the session of another grant',
      [`UPDATE grant_debits SET session_id = '${exampleSession(exampleGrant(2)).sessionId}' WHERE ${r(11)}`],
      ['debit_has_its_session'],
    ],
    [
      'a receipt moved to another grant',
      [`UPDATE receipts SET grant_id = '${other}' WHERE ${r(11)}`],
      ['receipt_has_one_cause', 'payer_is_the_cause', 'debit_has_its_receipt'],
    ],
    [
      'less charged than quoted',
      [`UPDATE receipts SET charged_micro = 1 WHERE ${r(1)}`],
      ['charged_equals_quoted'],
    ],
    [
      'something charged before it settled',
      [`UPDATE receipts SET charged_micro = quoted_micro WHERE ${r(2)}`],
      ['charged_equals_quoted'],
    ],
    [
      'something charged for a key',
      [`UPDATE receipts SET charged_micro = 1 WHERE ${r(21)}`],
      ['charged_equals_quoted'],
    ],
    [
      'another amount than the authorization',
      [`UPDATE receipts SET quoted_micro = 2, charged_micro = 2 WHERE ${r(1)}`],
      ['payment_matches_receipt'],
    ],
    [
      'another payer than the authorization',
      [`UPDATE receipts SET payer_identity = 'eip155:8453:0x0' WHERE ${r(1)}`],
      ['payer_is_the_cause'],
    ],
    [
      'more refunded than charged',
      [`UPDATE receipts SET refunded_micro = 100001 WHERE ${r(8)}`],
      ['refund_within_charge'],
    ],
    [
      'a refund of a receipt that is settled',
      [`UPDATE receipts SET refunded_micro = 1 WHERE ${r(1)}`],
      ['refund_within_charge'],
    ],
  ])('%s', (_what, statements, rules) => {
    expect(brokenBy(...statements)).toEqual(rules);
  });
});

describe('states that do not go together are named', () => {
  test.each<[string, string[], string[]]>([
    [
      'settled without transaction',
      [`UPDATE receipts SET settlement_tx_hash = NULL WHERE ${r(1)}`],
      ['status_has_its_reference'],
    ],
    [
      'settled without time',
      [`UPDATE receipts SET settled_ms = NULL WHERE ${r(1)}`],
      ['status_has_its_reference'],
    ],
    [
      'queued without transfer',
      [`UPDATE receipts SET gateway_transfer_id = NULL WHERE ${r(3)}`],
      ['status_has_its_reference'],
    ],
    [
      'failed without reason',
      [`UPDATE receipts SET failure_reason = NULL WHERE ${r(7)}`],
      ['status_has_its_reference'],
    ],
    [
      'refunded without reference',
      [`UPDATE receipts SET refund_reference = NULL WHERE ${r(8)}`],
      ['status_has_its_reference'],
    ],
    [
      'a payment that reads not charged',
      [
        `UPDATE receipts SET charge_status = 'not_charged' WHERE ${r(2)}`,
        `DELETE FROM receipt_events WHERE ${r(2)}`,
        journal(id(2), '', 'not_charged', 'handler'),
      ],
      ['mode_allows_status'],
    ],
    [
      'a phase behind a settled receipt',
      [`UPDATE payments SET phase = 'refused' WHERE ${r(1)}`],
      ['phase_matches_status'],
    ],
    [
      'a phase ahead of an open claim',
      [`UPDATE payments SET phase = 'accepted' WHERE ${r(2)}`],
      ['phase_matches_status'],
    ],
    [
      'a grant revoked without journal',
      [`UPDATE grants SET status = 'revoked' WHERE ${grant}`],
      ['grant_journal_ends_at_status'],
    ],
    [
      'a grant that counts as exhausted too early',
      [`UPDATE grants SET status = 'exhausted' WHERE ${grant}`],
      ['exhausted_by_its_remainder'],
    ],
    [
      'an idempotency key of no receipt',
      ["UPDATE idempotency_keys SET receipt_id = 'rcpt_none' WHERE holder = 'shadow'"],
      ['idempotency_key_has_its_receipt'],
    ],
  ])('%s', (_what, statements, rules) => {
    expect(brokenBy(...statements)).toEqual(rules);
  });
});

describe('a journal that was touched is named (P8.26)', () => {
  test.each<[string, string[], string[]]>([
    ['the last row is gone', [`DELETE FROM receipt_events WHERE ${newest}`], ['journal_ends_at_status']],
    ['the first row is gone', [`DELETE FROM receipt_events WHERE ${oldest}`], ['journal_is_a_chain']],
    [
      'a row between is gone',
      [`DELETE FROM receipt_events WHERE ${r(1)} AND to_status = 'submitted'`],
      ['journal_is_a_chain'],
    ],
    ['all rows are gone', [`DELETE FROM receipt_events WHERE ${r(21)}`], ['journal_ends_at_status']],
    [
      'the hand-over mark is gone',
      [`DELETE FROM receipt_events WHERE ${r(3)} AND reason = 'handoff'`],
      ['handoff_is_journalled'],
    ],
    [
      'the hand-over is gone from the receipt',
      [`UPDATE receipts SET handoff_ms = NULL WHERE ${r(3)}`],
      ['handoff_is_journalled'],
    ],
    [
      'the hand-over was at another time',
      [`UPDATE receipts SET handoff_ms = 1 WHERE ${r(3)}`],
      ['handoff_is_journalled'],
    ],
    [
      'another actor made the step',
      [`UPDATE receipt_events SET actor = 'operator:eve' WHERE ${newest}`],
      ['journal_step_legal'],
    ],
    [
      'a name that only begins like an actor',
      [`UPDATE receipt_events SET actor = 'handlers' WHERE ${newest}`],
      ['journal_step_legal'],
    ],
    [
      'the status moved alone',
      [`UPDATE receipts SET updated_ms = 1 WHERE ${r(1)}`],
      ['journal_ends_at_status'],
    ],
    [
      'a row of no receipt',
      [
        "INSERT INTO receipt_events VALUES (9999, 'rcpt_none', '', 'not_charged', 'handler', 'api_key', NULL, 1)",
      ],
      ['journal_row_has_its_receipt'],
    ],
    [
      'a step I3.2 does not have, its table widened',
      [
        "INSERT INTO receipt_transitions VALUES ('settled', 'failed', 'handler')",
        `UPDATE receipts SET charge_status = 'failed', failure_reason = 'x', charged_micro = 0, settled_ms = NULL WHERE ${r(1)}`,
        `UPDATE payments SET phase = 'refused' WHERE ${r(1)}`,
        journal(id(1), 'settled', 'failed', 'handler'),
      ],
      ['transitions_as_specified'],
    ],
    [
      'a table of steps that was shortened',
      ["DELETE FROM receipt_transitions WHERE to_status = 'disputed'"],
      ['transitions_as_specified'],
    ],
    [
      'settled twice',
      [
        journal(id(1), 'settled', 'submitted', 'handler'),
        `INSERT INTO receipt_events SELECT 10000, receipt_id, 'submitted', 'settled', actor, reason, external_ref, at_ms
        FROM receipt_events WHERE ${r(1)} AND to_status = 'settled'`,
      ],
      ['journal_step_legal', 'settled_once_per_claim'],
    ],
  ])('%s', (_what, statements, rules) => {
    expect(brokenBy(...statements)).toEqual(rules);
  });
});
