import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  exampleClaim,
  exampleGrant,
  exampleHold,
  exampleSession,
  exampleTransition,
  operator,
} from './examples.ts';
import type { LedgerUnderTest, RunningLedger } from './underTest.ts';

/** What SQL by hand cannot do to rows that are there (P8.26, S11), whatever adapter keeps them. */
export function handSuite(adapter: LedgerUnderTest): void {
  let running: RunningLedger;
  beforeAll(async () => {
    running = await adapter.start();
    const { ledger } = running;
    const key = { keyId: 'AAAAABBBBB', salt: new Uint8Array(16), secretHash: new Uint8Array(32) };
    const rest = { label: 'desk', scopes: ['rest'], createdMs: 1, createdBy: operator, expiresMs: null };
    await ledger.keys.create({ ...key, ...rest, scopes: ['rest'], replaces: null });
    await ledger.keys.revoke({ keyId: key.keyId, as: operator, atMs: 2 });
    const grant = exampleGrant(1);
    await ledger.grants.create({ grant, as: operator, atMs: 1 });
    await ledger.grants.mintSession({ session: exampleSession(grant), nonce: null });
    await ledger.hold(exampleHold(11, grant.grantId));
    await ledger.claim(exampleClaim(1));
    await ledger.transition(exampleTransition(1, 'settled'));
    const set = { refundReference: 'bank 7', refundedMicro: 100_000 };
    await ledger.transition(exampleTransition(1, 'refunded', { from: 'settled', actor: operator, set }));
    await ledger.claim(exampleClaim(2, { provider: 'gateway_batched' }));
    const transfer = { gatewayTransferId: 'transfer-2' };
    await ledger.transition(exampleTransition(2, 'queued_for_batch', { from: 'authorized', set: transfer }));
    const payer = exampleClaim(1).payer;
    const listed = {
      payer,
      provider: 'gateway_batched',
      reason: 'test',
      receiptId: null,
      addedMs: 1,
    } as const;
    await ledger.watchlist.add(listed);
    await ledger.grants.revoke({ grantId: grant.grantId, as: operator, atMs: 3 });
  });
  afterAll(() => running.stop());

  describe(`${adapter.name}: rows by hand (P8.26, S11)`, () => {
    test.each([
      'DELETE FROM grant_events',
      "UPDATE grant_events SET actor = 'operator:eve'",
      'DELETE FROM receipt_transitions',
      "UPDATE receipt_transitions SET actor_class = 'handler'",
      "INSERT INTO receipt_transitions VALUES ('refunded', 'settled', 'operator')",
      'DELETE FROM api_keys',
      'UPDATE api_keys SET revoked_ms = NULL',
      "UPDATE api_keys SET revoked_by = 'operator:eve'",
      "UPDATE api_keys SET created_by = 'operator:eve'",
      "UPDATE api_keys SET label = 'mine'",
      'UPDATE api_keys SET expires_ms = NULL',
      'UPDATE receipts SET refunded_micro = 1 WHERE refunded_micro > 0',
      "UPDATE receipts SET refund_reference = 'bank 8' WHERE refunded_micro > 0",
      "UPDATE receipts SET gateway_transfer_id = 'transfer-9' WHERE gateway_transfer_id IS NOT NULL",
      "UPDATE receipts SET route_uri = 'GET /v1/other'",
      "UPDATE receipts SET request_id = 'req_other'",
      "UPDATE receipts SET source_date = '2020-01-01'",
      "UPDATE payments SET pay_to = '0xeve'",
      "UPDATE payments SET network = 'eip155:1'",
      "UPDATE payments SET receipt_id = 'rcpt_lost'",
      'UPDATE payments SET payload_hash = fingerprint',
      "UPDATE grants SET account_id = 'eve'",
      "UPDATE grants SET program = 'founding_user_credit'",
      "UPDATE grant_debits SET receipt_id = 'rcpt_lost'",
      "UPDATE grant_debits SET route_id = 'R99'",
      'DELETE FROM grant_sessions',
      'UPDATE grant_sessions SET revoked_ms = NULL',
      'UPDATE grant_sessions SET expires_ms = 9',
      'DELETE FROM payer_watchlist',
    ])('%s is refused', async (sql) => {
      await expect(running.run(sql)).rejects.toThrow(
        /append_only|immutable_|illegal_debit|permission denied/,
      );
    });

    test('the books still balance and every rule is in force', async () => {
      expect((await running.ledger.check()).problems).toEqual([]);
    });
  });
}
