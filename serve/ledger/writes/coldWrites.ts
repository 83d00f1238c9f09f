import type { KeyAdmin, NewApiKey } from '../port/key.ts';
import type { Ledger } from '../port/ledger.ts';
import type {
  AliasInput,
  CheckNote,
  ClaimedPayment,
  UnknownOutcome,
  WatchEntry,
  Watchlist,
} from '../port/payment.ts';
import { isWatched } from '../reads/operatorReads.ts';
import { claimOf } from '../reads/receiptReads.ts';
import {
  changesOf,
  clockMs,
  firstOf,
  notify,
  rowsOf,
  type Steps,
  statement,
  takeTurn,
  UniqueViolated,
} from '../steps/steps.ts';
import { applyWebhook, createCheckout, endCheckout, openCheckout } from './checkoutWrites.ts';
import {
  consumeChallenge,
  createChallenge,
  createGrant,
  extendGrant,
  linkGrantWallet,
  mintSession,
  resumeGrant,
  reverseDebit,
  revokeGrant,
  setChallengeOutcome,
  setGrantRoutes,
  suspendGrant,
  topUpGrant,
} from './grantWrites.ts';
import {
  finishJob,
  giveJobBack,
  leaseSigner,
  releaseSigner,
  renewJobs,
  sendJobAgain,
  storeSigned,
  takeJobs,
} from './jobWrites.ts';

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
  // the time of the handler stays: it shows whether the answer may still arrive (P2.46)
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
function* noteUnknown(outcome: UnknownOutcome): Steps<string | null> {
  const { txHash, refusal, nextCheckMs, atMs, claimKey } = outcome;
  const row = yield* firstOf(statements.setUnknown, txHash, refusal, nextCheckMs, atMs, claimKey);
  if (row === null) return null;
  const receiptId = String(row['receipt_id']);
  yield* notify('receipt', receiptId);
  return receiptId;
}

/** Stores a transaction hash a provider has named, before the call is repeated (P2.39). */
function* noteTx(named: { claimKey: Uint8Array; txHash: string; atMs: number }): Steps<void> {
  yield* rowsOf(statements.setTx, named.txHash, named.atMs, named.claimKey);
}

/** Makes a credential an alias of the payment that answers it (P2.46a). */
function* alias({ claimKey, payloadHash, answeredBy, atMs }: AliasInput): Steps<boolean> {
  // a claim of the same key waits for this, and this for it
  yield* takeTurn(`credential ${Buffer.from(claimKey).toString('hex')}`);
  return (yield* changesOf(statements.setAlias, claimKey, payloadHash, answeredBy, atMs)) === 1;
}

/** Leases due claims to this worker by compare-and-set of their owner (P8.40). */
function* takeDue(asked: Parameters<Ledger['takeDue']>[0]): Steps<ClaimedPayment[]> {
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
function* noteCheck(note: CheckNote): Steps<boolean> {
  const { claimKey, owner, nextCheckMs, atMs, finality = null, blockNumber = null, batchId = null } = note;
  // receipts before payments, as every transition writes them
  if (batchId !== null) yield* rowsOf(statements.setBatch, batchId, claimKey, owner);
  const ended = changesOf(statements.endCheck, nextCheckMs, atMs, finality, blockNumber, claimKey, owner);
  return (yield* ended) === 1;
}

/** The statements of API keys (P6.2, P6.5). */
export const keyWriteStatements = {
  insert:
    statement(`INSERT INTO api_keys (key_id, salt, secret_hash, label, scopes, created_ms, created_by, expires_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`),
  setReplacedBy: statement('UPDATE api_keys SET replaced_by = $1 WHERE key_id = $2'),
  isKnown: statement('SELECT 1 AS found FROM api_keys WHERE key_id = $1'),
  revoke: statement(`UPDATE api_keys SET revoked_ms = $1, revoked_by = $2
    WHERE key_id = $3 AND revoked_ms IS NULL RETURNING key_id`),
} as const;

const { insert, setReplacedBy, isKnown, revoke } = keyWriteStatements;

function* createKey(key: NewApiKey): Steps<'created' | 'key_id_taken' | 'unknown_predecessor'> {
  const { keyId, salt, secretHash, label, createdMs, createdBy, expiresMs, replaces } = key;
  if (replaces !== null && (yield* firstOf(isKnown, replaces)) === null) return 'unknown_predecessor';
  const scopes = JSON.stringify(key.scopes);
  try {
    // without RETURNING: SQLite would search receipts of the new key
    yield* rowsOf(insert, keyId, salt, secretHash, label, scopes, createdMs, createdBy, expiresMs);
  } catch (error) {
    if (error instanceof UniqueViolated) return 'key_id_taken';
    throw error;
  }
  if (replaces !== null) yield* rowsOf(setReplacedBy, keyId, replaces);
  yield* notify('api_key', keyId);
  return 'created';
}

function* revokeKey(
  asked: Parameters<KeyAdmin['revoke']>[0],
): Steps<'revoked' | 'already_revoked' | 'unknown'> {
  const { keyId, as, atMs } = asked;
  if ((yield* changesOf(revoke, atMs, as, keyId)) === 0) {
    return (yield* firstOf(isKnown, keyId)) === null ? 'unknown' : 'already_revoked';
  }
  yield* notify('api_key', keyId);
  return 'revoked';
}

/** The statements of the watch list (I3.9). */
export const watchWriteStatements = {
  insert: statement(`INSERT INTO payer_watchlist (payer, provider, reason, receipt_id, added_ms)
    VALUES ($1, $2, $3, $4, $5)`),
  clear: statement(`UPDATE payer_watchlist SET cleared_ms = $1, cleared_by = $2
    WHERE payer = $3 AND cleared_ms IS NULL RETURNING payer`),
} as const;

function* watch(entry: WatchEntry): Steps<'added' | 'already_listed'> {
  const { payer, provider, reason, receiptId, addedMs } = entry;
  yield* takeTurn(`watch ${payer}`);
  if (yield* isWatched(payer, provider)) return 'already_listed';
  yield* rowsOf(watchWriteStatements.insert, payer, provider, reason, receiptId, addedMs);
  return 'added';
}

/** Clears every open entry of a payer. */
function unwatch({ atMs, by, payer }: Parameters<Watchlist['clear']>[0]): Steps<number> {
  return changesOf(watchWriteStatements.clear, atMs, by, payer);
}

/**
 * The writes that both databases run from one text (P8.15): everything but claim, transition, hold, end of hold, keyed
 * receipt and sweep, which each adapter states in the shape that costs it least.
 */
export const coldWrites = {
  alias,
  noteUnknown,
  noteTx,
  takeDue,
  noteCheck,
  createGrant,
  suspendGrant,
  resumeGrant,
  revokeGrant,
  extendGrant,
  topUpGrant,
  setGrantRoutes,
  linkGrantWallet,
  reverseDebit,
  mintSession,
  createChallenge,
  consumeChallenge,
  setChallengeOutcome,
  takeJobs,
  renewJobs,
  storeSigned,
  giveJobBack,
  finishJob,
  sendJobAgain,
  leaseSigner,
  releaseSigner,
  createCheckout,
  openCheckout,
  endCheckout,
  applyWebhook,
  createKey,
  revokeKey,
  watch,
  unwatch,
} as const;

/** The name of a cold write. */
export type ColdName = keyof typeof coldWrites;

/** What a cold write takes. */
export type ColdInput<Name extends ColdName> = Parameters<(typeof coldWrites)[Name]>[0];

/** What it answers. */
export type ColdResult<Name extends ColdName> =
  ReturnType<(typeof coldWrites)[Name]> extends Generator<unknown, infer Result> ? Result : never;

/** An adapter's way to run one; it resolves when the transaction is durable. */
export type WriteCold = <Name extends ColdName>(
  name: Name,
  input: ColdInput<Name>,
) => Promise<ColdResult<Name>>;
