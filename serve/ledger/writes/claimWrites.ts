import type { AliasInput, CheckNote, ClaimedPayment, DueKind, UnknownOutcome } from '../port/payment.ts';
import { claimOf } from '../reads/receiptReads.ts';
import { statement } from '../steps/statement.ts';
import { changesOf, clockMs, firstOf, notify, rowsOf, type Steps, takeTurn } from '../steps/steps.ts';

/** The statements of claims that no answer waits for in a hurry (PAYMENTS 8.G). */
export const claimWriteStatements = {
  setUnknown: statement(`UPDATE payments SET phase = 'unknown', tx_hash = coalesce($1, tx_hash),
      refusal = coalesce($2, refusal), next_check_ms = $3, updated_ms = $4
    WHERE claim_key = $5 AND phase = 'calling' RETURNING receipt_id`),
  setTx: statement('UPDATE payments SET tx_hash = $1, updated_ms = $2 WHERE claim_key = $3'),
  dueRecovery: statement(
    `SELECT p.claim_key FROM payments p JOIN receipts r ON r.receipt_id = p.receipt_id
      WHERE p.next_check_ms <= $1 AND p.owner_until_ms <= $1 AND r.charge_status IN ('authorized','submitted')
      ORDER BY p.next_check_ms, p.claim_key LIMIT $2`,
    { lock: 'FOR UPDATE OF p SKIP LOCKED' },
  ),
  // the call of a settled payment has ended: its transfer is checked even while the answer is being sent (P8.54)
  dueReconcile: statement(
    `SELECT p.claim_key FROM payments p JOIN receipts r ON r.receipt_id = p.receipt_id
      WHERE p.next_check_ms <= $1 AND r.charge_status IN ('queued_for_batch','settled')
      ORDER BY p.next_check_ms, p.claim_key LIMIT $2`,
    { lock: 'FOR UPDATE OF p SKIP LOCKED' },
  ),
  takeOver: statement('UPDATE payments SET owner = $1, owner_until_ms = $2 WHERE claim_key = $3'),
  // the time of the handler stays: it says whether the answer may still arrive (P2.46)
  takeCheck: statement('UPDATE payments SET owner = $1, next_check_ms = $2 WHERE claim_key = $3'),
  // no transition, so the row keeps the time of its last one, which the journal has too
  setBatch: statement(`UPDATE receipts SET batch_id = $1 WHERE claim_key = $2
    AND EXISTS (SELECT 1 FROM payments p WHERE p.claim_key = $2 AND p.owner = $3)`),
  // a transfer may have failed since it was taken: a failed one is not checked again (T8)
  endCheck: statement(`UPDATE payments SET checks = checks + 1,
      next_check_ms = CASE WHEN EXISTS (SELECT 1 FROM receipts r WHERE r.receipt_id = payments.receipt_id
        AND r.charge_status = 'failed') THEN NULL ELSE CAST($1 AS bigint) END,
      owner_until_ms = CASE WHEN EXISTS (SELECT 1 FROM receipts r WHERE r.receipt_id = payments.receipt_id
        AND r.charge_status IN ('authorized','submitted')) THEN $2 ELSE owner_until_ms END,
      finality = coalesce($3, finality), block_number = coalesce($4, block_number), updated_ms = $2
    WHERE claim_key = $5 AND owner = $6 RETURNING claim_key`),
  // unless it is a payment of its own, or an alias of one that stands
  setAlias: statement(`INSERT INTO payment_aliases (claim_key, payload_hash, answered_by, created_ms)
    SELECT $1, $2, r.claim_key, $4 FROM receipts r WHERE r.claim_key = $3 AND r.charge_status <> 'failed'
      AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.claim_key = $1)
    ON CONFLICT (claim_key) DO UPDATE SET payload_hash = excluded.payload_hash,
        answered_by = excluded.answered_by, created_ms = excluded.created_ms
      WHERE EXISTS (SELECT 1 FROM receipts r WHERE r.claim_key = payment_aliases.answered_by
        AND r.charge_status = 'failed')
    RETURNING claim_key`),
} as const;

const statements = claimWriteStatements;

/** Stores that the call ended without a definite answer (P8.28); the receipt's id, or null when it had one. */
export function* noteUnknown(outcome: UnknownOutcome): Steps<string | null> {
  const { txHash, refusal, nextCheckMs, atMs, claimKey } = outcome;
  const row = yield* firstOf(statements.setUnknown, txHash, refusal, nextCheckMs, atMs, claimKey);
  if (row === null) return null;
  const receiptId = String(row['receipt_id']);
  yield* notify('receipt', receiptId);
  return receiptId;
}

/** Stores a transaction hash a provider has named, before the call is repeated (P2.39). */
export function* noteTx(named: { claimKey: Uint8Array; txHash: string; atMs: number }): Steps<void> {
  yield* rowsOf(statements.setTx, named.txHash, named.atMs, named.claimKey);
}

/** Makes a credential an alias of the payment that answers it (P2.46a). */
export function* alias({ claimKey, payloadHash, answeredBy, atMs }: AliasInput): Steps<boolean> {
  // a claim of the same key waits for this, and this for it
  yield* takeTurn(`credential ${Buffer.from(claimKey).toString('hex')}`);
  return (yield* changesOf(statements.setAlias, claimKey, payloadHash, answeredBy, atMs)) === 1;
}

/** Leases due claims to this worker by compare-and-set of their owner (P8.40). */
export function* takeDue(asked: {
  kind: DueKind;
  owner: string;
  leaseMs: number;
  limit: number;
}): Steps<ClaimedPayment[]> {
  const { kind, owner, leaseMs, limit } = asked;
  const recovery = kind === 'recovery';
  const nowMs = yield* clockMs();
  const due = yield* rowsOf(recovery ? statements.dueRecovery : statements.dueReconcile, nowMs, limit);
  const taken: ClaimedPayment[] = [];
  for (const row of due) {
    const claimKey = row['claim_key'] as Uint8Array;
    yield* rowsOf(recovery ? statements.takeOver : statements.takeCheck, owner, nowMs + leaseMs, claimKey);
    const claim = yield* claimOf(claimKey);
    // in PostgreSQL a handler may have moved its receipt in between
    if (claim !== null && isDue(claim, recovery)) taken.push(claim);
  }
  return taken;
}

function isDue({ receipt }: ClaimedPayment, recovery: boolean): boolean {
  const { chargeStatus } = receipt;
  return recovery
    ? chargeStatus === 'authorized' || chargeStatus === 'submitted'
    : chargeStatus === 'queued_for_batch' || chargeStatus === 'settled';
}

/** Ends one check of a leased claim (P8.42); false when the lease was lost. */
export function* noteCheck(note: CheckNote): Steps<boolean> {
  const { claimKey, owner, nextCheckMs, atMs, finality = null, blockNumber = null, batchId = null } = note;
  // receipts before payments, as every transition writes them
  if (batchId !== null) yield* rowsOf(statements.setBatch, batchId, claimKey, owner);
  const ended = changesOf(statements.endCheck, nextCheckMs, atMs, finality, blockNumber, claimKey, owner);
  return (yield* ended) === 1;
}
