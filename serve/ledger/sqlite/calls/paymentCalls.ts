import type { DatabaseSync } from 'node:sqlite';
import { phaseAfter } from '../../phaseAfter.ts';
import type {
  CheckNote,
  ClaimedPayment,
  ClaimInput,
  ClaimResult,
  DueKind,
  Transition,
  UnknownOutcome,
} from '../../port/payment.ts';
import { replayWindowMs } from '../../receipt.ts';
import { paymentRow, receiptRow } from '../../rows.ts';

/** What the writer can do with claims; each function runs inside a transaction. */
export type PaymentCalls = {
  claim(claim: ClaimInput): 'won' | Exclude<ClaimResult, { won: true }>;
  claimOnly(claim: ClaimInput): 'won' | Exclude<ClaimResult, { won: true }>;
  claimNext(claim: ClaimInput): void;
  transition(transition: Transition): boolean;
  noteUnknown(outcome: UnknownOutcome): boolean;
  noteTx(o: { claimKey: Uint8Array; txHash: string; atMs: number }): void;
  renew(o: { claimKeys: readonly Uint8Array[]; owner: string; ownerUntilMs: number }): void;
  takeDue(o: {
    kind: DueKind;
    owner: string;
    leaseMs: number;
    limit: number;
    nowMs: number;
  }): ClaimedPayment[];
  noteCheck(note: CheckNote): boolean;
};

const latestInt64 = 2n ** 63n - 1n;

/** Prepares the statements of claims and transitions (PAYMENTS 8.D, 8.E, 8.G). */
export function paymentCalls(database: DatabaseSync): PaymentCalls {
  const insertPayment = database.prepare(`
    INSERT INTO payments (claim_key, provider, network, domain_contract, payer, nonce, client_ref, pay_to,
      amount_micro, valid_after, valid_before, payload_hash, fingerprint, phase, receipt_id, tx_hash, owner,
      owner_until_ms, next_check_ms, created_ms, updated_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`);
  const insertReceipt = database.prepare(`
    INSERT INTO receipts (receipt_id, reconciliation_key, response_id, request_id, route_id, route_uri, fingerprint,
      settlement_mode, charge_status, quoted_micro, payer_identity, claim_key, tool, artifact_key, artifact_version,
      source_date, quality_flags, actor, reason, created_ms, updated_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'authorized', ?, ?, ?, ?, ?, ?, ?, ?, ?, 'claim', ?, ?)`);
  const submit = database.prepare(`
    UPDATE receipts SET charge_status = 'submitted', actor = 'handler', reason = 'settlement_call',
      external_ref = NULL, updated_ms = ?
    WHERE receipt_id = ? AND charge_status = 'authorized'`);
  const markHandoff = database.prepare('UPDATE receipts SET handoff_ms = ? WHERE receipt_id = ?');
  const startCalling = database.prepare(
    "UPDATE payments SET phase = 'calling', updated_ms = ? WHERE claim_key = ? AND phase = 'claimed'",
  );
  const insertJob = database.prepare(`
    INSERT INTO settlement_jobs (claim_key, kind, payload, not_before_ms, deadline_ms, created_ms, updated_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const paymentOf = database.prepare('SELECT * FROM payments WHERE claim_key = ?');
  const receiptOf = database.prepare('SELECT * FROM receipts WHERE receipt_id = ?');
  const byClientRef = database.prepare('SELECT 1 FROM payments WHERE payer = ? AND client_ref = ?');
  const byTxHash = database.prepare("SELECT 1 FROM payments WHERE tx_hash = ? AND provider = 'mpp'");
  const moveReceipt = database.prepare(`
    UPDATE receipts SET charge_status = :to,
      charged_micro = CASE WHEN :to IN ('queued_for_batch','settled','refunded','disputed') THEN quoted_micro ELSE 0 END,
      settlement_tx_hash = coalesce(:tx, settlement_tx_hash),
      gateway_transfer_id = coalesce(:transfer, gateway_transfer_id),
      batch_id = coalesce(:batch, batch_id),
      failure_reason = coalesce(:failure, failure_reason),
      refund_reference = coalesce(:refund, refund_reference),
      refunded_micro = coalesce(:refunded, refunded_micro),
      settled_ms = CASE WHEN :to = 'settled' THEN coalesce(settled_ms, :at) ELSE settled_ms END,
      replay_until_ms = CASE WHEN :to IN ('settled','queued_for_batch') THEN coalesce(replay_until_ms, :at + :window)
        ELSE replay_until_ms END,
      delivery_status = CASE WHEN :actor = 'recovery' AND :to IN ('settled','queued_for_batch')
        AND delivery_status = 'pending' THEN 'undelivered' ELSE delivery_status END,
      quality_flags = CASE WHEN :flag IS NULL OR EXISTS (SELECT 1 FROM json_each(quality_flags) WHERE value = :flag)
        THEN quality_flags ELSE json_insert(quality_flags, '$[#]', :flag) END,
      actor = :actor, reason = :reason, external_ref = :ref, updated_ms = :at
    WHERE receipt_id = :id AND charge_status = :from`);
  const movePayment = database.prepare(`
    UPDATE payments SET phase = :phase, tx_hash = coalesce(:tx, tx_hash), refusal = coalesce(:failure, refusal),
      next_check_ms = :next, finality = coalesce(:finality, finality), block_number = coalesce(:block, block_number),
      updated_ms = :at
    WHERE receipt_id = :id`);
  const setUnknown = database.prepare(`
    UPDATE payments SET phase = 'unknown', tx_hash = coalesce(?, tx_hash), refusal = coalesce(?, refusal),
      next_check_ms = ?, updated_ms = ?
    WHERE claim_key = ? AND phase = 'calling'`);
  const setTx = database.prepare('UPDATE payments SET tx_hash = ?, updated_ms = ? WHERE claim_key = ?');
  const setOwnerUntil = database.prepare(
    'UPDATE payments SET owner_until_ms = max(owner_until_ms, ?) WHERE claim_key = ? AND owner = ?',
  );
  const dueRecovery = database.prepare(`
    SELECT p.claim_key FROM payments p JOIN receipts r ON r.receipt_id = p.receipt_id
    WHERE p.next_check_ms <= ? AND p.owner_until_ms <= ? AND r.charge_status IN ('authorized','submitted')
    ORDER BY p.next_check_ms, p.claim_key LIMIT ?`);
  // the call of a settled payment has ended: its transfer is looked at whoever still sends the answer (P8.54)
  const dueReconcile = database.prepare(`
    SELECT p.claim_key FROM payments p JOIN receipts r ON r.receipt_id = p.receipt_id
    WHERE p.next_check_ms <= ? AND r.charge_status IN ('queued_for_batch','settled')
    ORDER BY p.next_check_ms, p.claim_key LIMIT ?`);
  const takeOver = database.prepare('UPDATE payments SET owner = ?, owner_until_ms = ? WHERE claim_key = ?');
  // the time of the handler stays what it was: it says whether the answer may still arrive (P2.46)
  const lookAt = database.prepare('UPDATE payments SET owner = ?, next_check_ms = ? WHERE claim_key = ?');
  // somebody else may have ended a promise since it was looked at: a failed one is looked at no more (T8)
  const endCheck = database.prepare(`
    UPDATE payments SET checks = checks + 1,
      next_check_ms = CASE WHEN EXISTS (SELECT 1 FROM receipts r WHERE r.receipt_id = payments.receipt_id
        AND r.charge_status = 'failed') THEN NULL ELSE :next END,
      owner_until_ms = CASE WHEN EXISTS (SELECT 1 FROM receipts r WHERE r.receipt_id = payments.receipt_id
        AND r.charge_status IN ('authorized','submitted')) THEN :at ELSE owner_until_ms END,
      finality = coalesce(:finality, finality), block_number = coalesce(:block, block_number), updated_ms = :at
    WHERE claim_key = :claim AND owner = :owner`);
  // no transition, so the row keeps the time of its last one, which the journal has too
  const setBatch = database.prepare('UPDATE receipts SET batch_id = ? WHERE claim_key = ?');
  paymentOf.setReadBigInts(true);

  function claimed(claimKey: Uint8Array): ClaimedPayment | null {
    const found = paymentOf.get(claimKey);
    if (found === undefined) return null;
    const payment = paymentRow(found);
    const receipt = receiptOf.get(payment.receiptId);
    // both rows are written by one transaction
    if (receipt === undefined) throw new Error(`the claim of ${payment.receiptId} has no receipt`);
    return { payment, receipt: receiptRow(receipt) };
  }

  function insertClaim(c: ClaimInput, phase: 'claimed' | 'calling'): boolean {
    const r = c.receipt;
    const { changes } = insertPayment.run(
      c.claimKey,
      c.provider,
      c.network,
      c.domainContract,
      c.payer,
      c.nonce,
      c.clientRef,
      c.payTo,
      c.amountMicro,
      atMost(c.validAfter),
      atMost(c.validBefore),
      c.payloadHash,
      c.fingerprint,
      phase,
      r.receiptId,
      c.txHash,
      c.owner,
      c.ownerUntilMs,
      // the worker looks when the handler is over
      c.ownerUntilMs,
      r.createdMs,
      r.createdMs,
    );
    if (changes === 0) return false;
    insertReceipt.run(
      r.receiptId,
      r.reconciliationKey,
      r.responseId,
      r.requestId,
      r.routeId,
      r.routeUri,
      r.fingerprint,
      r.settlementMode,
      r.quotedMicro,
      r.payerIdentity,
      c.claimKey,
      r.tool ?? null,
      r.artifactKey,
      r.artifactVersion,
      r.sourceDate,
      JSON.stringify(r.qualityFlags),
      r.actor,
      r.createdMs,
      r.createdMs,
    );
    return true;
  }

  function lost(c: ClaimInput): Exclude<ClaimResult, { won: true }> {
    const found = claimed(c.claimKey);
    if (found !== null) return { won: false, conflict: null, ...found };
    if (c.clientRef !== null && byClientRef.get(c.payer, c.clientRef) !== undefined)
      return { won: false, conflict: 'client_ref' };
    if (c.txHash !== null && byTxHash.get(c.txHash) !== undefined) return { won: false, conflict: 'tx_hash' };
    throw new Error(`the receipt id ${c.receipt.receiptId} belongs to another claim`);
  }

  function advance(c: ClaimInput): void {
    const { receiptId, createdMs } = c.receipt;
    if (c.next === 'submitted') submit.run(createdMs, receiptId);
    else markHandoff.run(createdMs, receiptId);
    if (c.job === null) return;
    const { kind, payload, notBeforeMs, deadlineMs } = c.job;
    insertJob.run(c.claimKey, kind, payload, notBeforeMs, deadlineMs, createdMs, createdMs);
  }

  return {
    claim: (c) => {
      if (!insertClaim(c, 'calling')) return lost(c);
      advance(c);
      return 'won';
    },
    claimOnly: (c) => (insertClaim(c, 'claimed') ? 'won' : lost(c)),
    claimNext: (c) => {
      startCalling.run(c.receipt.createdMs, c.claimKey);
      advance(c);
    },
    transition: (t) => {
      const { set } = t;
      const moved = moveReceipt.run({
        to: t.to,
        tx: set.settlementTxHash ?? null,
        transfer: set.gatewayTransferId ?? null,
        batch: set.batchId ?? null,
        failure: set.failureReason ?? null,
        refund: set.refundReference ?? null,
        refunded: set.refundedMicro ?? null,
        flag: set.addFlag ?? null,
        at: t.atMs,
        window: replayWindowMs,
        actor: t.actor,
        reason: t.reason,
        ref: t.externalRef ?? null,
        id: t.receiptId,
        from: t.from,
      });
      if (moved.changes === 0) return false;
      const phase = phaseAfter(t);
      if (phase !== null) {
        movePayment.run({
          phase,
          tx: set.settlementTxHash ?? null,
          failure: set.failureReason ?? null,
          next: set.nextCheckMs ?? null,
          finality: set.finality ?? null,
          block: set.blockNumber ?? null,
          at: t.atMs,
          id: t.receiptId,
        });
      }
      return true;
    },
    noteUnknown: (o) => setUnknown.run(o.txHash, o.refusal, o.nextCheckMs, o.atMs, o.claimKey).changes === 1,
    noteTx: (o) => {
      setTx.run(o.txHash, o.atMs, o.claimKey);
    },
    renew: (o) => {
      for (const key of o.claimKeys) setOwnerUntil.run(o.ownerUntilMs, key, o.owner);
    },
    takeDue: (o) => {
      const untilMs = o.nowMs + o.leaseMs;
      const open = o.kind === 'recovery';
      const due = open ? dueRecovery.all(o.nowMs, o.nowMs, o.limit) : dueReconcile.all(o.nowMs, o.limit);
      const keys = due.map((row) => row['claim_key'] as Uint8Array);
      for (const key of keys) (open ? takeOver : lookAt).run(o.owner, untilMs, key);
      return keys.flatMap((key) => claimed(key) ?? []);
    },
    noteCheck: (n) => {
      const noted =
        endCheck.run({
          next: n.nextCheckMs,
          at: n.atMs,
          finality: n.finality ?? null,
          block: n.blockNumber ?? null,
          claim: n.claimKey,
          owner: n.owner,
        }).changes === 1;
      if (noted && typeof n.batchId === 'string') setBatch.run(n.batchId, n.claimKey);
      return noted;
    },
  };
}

// an end beyond the column's range never comes: the largest value says the same
function atMost(seconds: bigint): bigint {
  return seconds > latestInt64 ? latestInt64 : seconds;
}
