import type { DatabaseSync } from 'node:sqlite';
import type { JobQueue, JobRow, SignedJob, SignerLease } from '../../port/job.ts';
import type { Transition } from '../../port/payment.ts';
import { jobRow } from '../../rows.ts';

type Input<Name extends keyof JobQueue> = Parameters<JobQueue[Name]>[0];
type Finish = 'finished' | 'lost_lease' | 'lost_transition';

/** What the writer can do with settlement jobs; each function runs inside a transaction. */
export type JobCalls = {
  takeJobs(o: Input<'take'> & { nowMs: number }): JobRow[];
  renewJobs(o: Input<'renew'> & { nowMs: number }): number;
  storeSigned(o: SignedJob & { nowMs: number }): boolean;
  giveJobBack(o: Input<'giveBack'>): boolean;
  finishJob(o: Input<'finish'>): Finish;
  sendJobAgain(o: Input<'sendAgain'>): boolean;
  leaseSigner(o: Input<'leaseSigner'> & { nowMs: number }): SignerLease | null;
  releaseSigner(o: SignerLease): void;
};

/** Prepares the statements of the settlement queue (P9.3–P9.8). `transition` moves a receipt (P9.6 g). */
export function jobCalls(database: DatabaseSync, transition: (t: Transition) => boolean): JobCalls {
  const take = database.prepare(`
    UPDATE settlement_jobs SET state = CASE state WHEN 'queued' THEN 'leased' ELSE state END, lease_owner = ?,
      lease_until_ms = ?, attempts = attempts + 1, updated_ms = ?
    WHERE job_id IN (
      SELECT job_id FROM settlement_jobs INDEXED BY settlement_jobs_due
      WHERE state IN ('queued','leased','sent') AND not_before_ms <= ?
        AND (state = 'queued' OR lease_until_ms <= ?)
      ORDER BY job_id LIMIT ?)
    RETURNING *`);
  const renew = database.prepare(`
    UPDATE settlement_jobs SET lease_until_ms = ?, updated_ms = ?
    WHERE job_id = ? AND lease_owner = ? AND lease_until_ms > ? AND state IN ('leased','sent')`);
  const holdsSigner = database.prepare(
    'SELECT 1 FROM signer_leases WHERE signer = ? AND owner = ? AND fence = ? AND lease_until_ms > ?',
  );
  // a replacement keeps the account nonce, and the hash it replaces stays beside it (P9.8)
  const store = database.prepare(`
    UPDATE settlement_jobs SET state = 'sent', signer = :signer, account_nonce = :nonce, raw_tx = :raw,
      outcome_json = CASE WHEN tx_hash IS NULL OR tx_hash = :tx THEN outcome_json
        ELSE json_set(coalesce(outcome_json, '{}'), '$.replaced',
          json_insert(coalesce(json_extract(outcome_json, '$.replaced'), '[]'), '$[#]', tx_hash)) END,
      tx_hash = :tx, updated_ms = :at
    WHERE job_id = :job AND lease_owner = :owner AND lease_until_ms > :now
      AND (state = 'leased' OR (state = 'sent' AND signer = :signer AND account_nonce = :nonce))`);
  const giveBack = database.prepare(`
    UPDATE settlement_jobs SET state = 'queued', lease_owner = NULL, lease_until_ms = NULL, not_before_ms = ?,
      last_error = ?, updated_ms = ?
    WHERE job_id = ? AND lease_owner = ? AND state = 'leased'`);
  const finish = database.prepare(`
    UPDATE settlement_jobs SET state = CASE ? WHEN 'unknown' THEN 'dead' ELSE 'done' END, outcome = ?,
      outcome_json = CASE WHEN ? IS NULL THEN outcome_json ELSE json_patch(coalesce(outcome_json, '{}'), ?) END,
      payload = NULL, updated_ms = ?
    WHERE job_id = ? AND lease_owner = ? AND state IN ('leased','sent')`);
  const again = database.prepare(`
    UPDATE settlement_jobs SET state = 'sent', lease_owner = NULL, lease_until_ms = 0, not_before_ms = :at,
      updated_ms = :at
    WHERE claim_key = :claim AND state = 'done' AND outcome = 'settled' AND raw_tx IS NOT NULL AND deadline_ms > :at
      AND NOT EXISTS (
        SELECT 1 FROM settlement_jobs o WHERE o.state IN ('leased','sent') AND o.signer = settlement_jobs.signer
          AND o.account_nonce = settlement_jobs.account_nonce)`);
  const leaseOf = database.prepare('SELECT * FROM signer_leases WHERE signer = ?');
  const setLease = database.prepare(`
    INSERT INTO signer_leases (signer, owner, lease_until_ms, fence) VALUES (?, ?, ?, ?)
    ON CONFLICT (signer) DO UPDATE SET owner = excluded.owner, lease_until_ms = excluded.lease_until_ms,
      fence = excluded.fence`);
  const endLease = database.prepare(
    'UPDATE signer_leases SET lease_until_ms = 0 WHERE signer = ? AND owner = ? AND fence = ?',
  );

  return {
    takeJobs: (o) =>
      take
        .all(o.owner, o.nowMs + o.leaseMs, o.nowMs, o.nowMs, o.nowMs, o.limit)
        .map(jobRow)
        .sort((a, b) => a.jobId - b.jobId),
    renewJobs: (o) => {
      let renewed = 0;
      for (const id of o.jobIds) {
        renewed += Number(renew.run(o.nowMs + o.leaseMs, o.nowMs, id, o.owner, o.nowMs).changes);
      }
      return renewed;
    },
    storeSigned: (o) => {
      const { signer, owner, fence } = o.lease;
      if (holdsSigner.get(signer, owner, fence, o.nowMs) === undefined) return false;
      const stored = store.run({
        signer,
        nonce: o.accountNonce,
        raw: o.rawTx,
        tx: o.txHash,
        at: o.atMs,
        job: o.jobId,
        owner,
        now: o.nowMs,
      });
      return stored.changes === 1;
    },
    giveJobBack: (o) => giveBack.run(o.notBeforeMs, o.error, o.atMs, o.jobId, o.owner).changes === 1,
    finishJob: (o) => {
      const ended = finish.run(o.outcome, o.outcome, o.outcomeJson, o.outcomeJson, o.atMs, o.jobId, o.owner);
      if (ended.changes === 0) return 'lost_lease';
      return o.transition === null || transition(o.transition) ? 'finished' : 'lost_transition';
    },
    sendJobAgain: (o) => again.run({ claim: o.claimKey, at: o.atMs }).changes === 1,
    leaseSigner: (o) => {
      const lease = leaseOf.get(o.signer);
      const held = lease !== undefined && Number(lease['lease_until_ms']) > o.nowMs;
      if (held && lease['owner'] !== o.owner) return null;
      const same = lease !== undefined && lease['owner'] === o.owner && held;
      const fence = lease === undefined ? 1 : Number(lease['fence']) + (same ? 0 : 1);
      setLease.run(o.signer, o.owner, o.nowMs + o.leaseMs, fence);
      return { signer: o.signer, owner: o.owner, fence };
    },
    releaseSigner: (o) => {
      endLease.run(o.signer, o.owner, o.fence);
    },
  };
}
