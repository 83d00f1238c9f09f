import { type JobQueue, type JobRow, jobRow, type SignedJob, type SignerLease } from '../port/job.ts';
import { wholeNumber } from '../rows/columns.ts';
import { changesOf, clockMs, firstOf, moveReceipt, rowsOf, type Steps, statement } from '../steps/steps.ts';

type Input<Name extends keyof JobQueue> = Parameters<JobQueue[Name]>[0];

/** The statements of the settlement queue (P9.3–P9.8). */
export const jobWriteStatements = {
  // the sign keeps SQLite from reading the jobs of the past in the order of their numbers
  due: statement(
    `SELECT job_id FROM settlement_jobs
      WHERE state IN ('queued','leased','sent') AND not_before_ms <= $1
        AND (state = 'queued' OR lease_until_ms <= $1)
      ORDER BY +job_id LIMIT $2`,
    { lock: 'FOR UPDATE SKIP LOCKED' },
  ),
  lease: statement(`UPDATE settlement_jobs SET state = CASE state WHEN 'queued' THEN 'leased' ELSE state END,
      lease_owner = $1, lease_until_ms = $2, attempts = attempts + 1, updated_ms = $3
    WHERE job_id = $4 RETURNING *`),
  renew: statement(`UPDATE settlement_jobs SET lease_until_ms = $1, updated_ms = $2
    WHERE job_id = $3 AND lease_owner = $4 AND lease_until_ms > $2 AND state IN ('leased','sent')
    RETURNING job_id`),
  holdsSigner: statement(
    `SELECT 1 AS found FROM signer_leases
      WHERE signer = $1 AND owner = $2 AND fence = $3 AND lease_until_ms > $4`,
    { lock: 'FOR UPDATE' },
  ),
  job: statement('SELECT * FROM settlement_jobs WHERE job_id = $1', { lock: 'FOR UPDATE' }),
  store: statement(`UPDATE settlement_jobs SET state = 'sent', signer = $1, account_nonce = $2, raw_tx = $3,
      tx_hash = $4, outcome_json = $5, updated_ms = $6
    WHERE job_id = $7 AND lease_owner = $8 AND lease_until_ms > $9
      AND (state = 'leased' OR (state = 'sent' AND signer = $1 AND account_nonce = $2))
    RETURNING job_id`),
  giveBack: statement(`UPDATE settlement_jobs SET state = 'queued', lease_owner = NULL, lease_until_ms = NULL,
      not_before_ms = $1, last_error = $2, updated_ms = $3
    WHERE job_id = $4 AND lease_owner = $5 AND state = 'leased' RETURNING job_id`),
  finish: statement(`UPDATE settlement_jobs SET state = $1, outcome = $2, outcome_json = $3, payload = NULL,
      updated_ms = $4
    WHERE job_id = $5 AND lease_owner = $6 AND state IN ('leased','sent') RETURNING job_id`),
  again: statement(`UPDATE settlement_jobs SET state = 'sent', lease_owner = NULL, lease_until_ms = 0,
      not_before_ms = $2, updated_ms = $2
    WHERE claim_key = $1 AND state = 'done' AND outcome = 'settled' AND raw_tx IS NOT NULL AND deadline_ms > $2
      AND NOT EXISTS (
        SELECT 1 FROM settlement_jobs o WHERE o.state IN ('leased','sent') AND o.signer = settlement_jobs.signer
          AND o.account_nonce = settlement_jobs.account_nonce)
    RETURNING job_id`),
  // the fence grows with every change of the owner (P9.5)
  leaseSigner:
    statement(`INSERT INTO signer_leases (signer, owner, lease_until_ms, fence) VALUES ($1, $2, $3, 1)
    ON CONFLICT (signer) DO UPDATE SET owner = excluded.owner, lease_until_ms = excluded.lease_until_ms,
      fence = signer_leases.fence + CASE WHEN signer_leases.owner = excluded.owner
        AND signer_leases.lease_until_ms > $4 THEN 0 ELSE 1 END
    WHERE signer_leases.owner = excluded.owner OR signer_leases.lease_until_ms <= $4
    RETURNING fence`),
  releaseSigner: statement(`UPDATE signer_leases SET lease_until_ms = 0
    WHERE signer = $1 AND owner = $2 AND fence = $3`),
} as const;

const statements = jobWriteStatements;

/** Leases queued jobs that are due, and leased or sent ones whose lease is over (P9.4, P9.8). */
export function* takeJobs({ owner, leaseMs, limit }: Input<'take'>): Steps<JobRow[]> {
  const nowMs = yield* clockMs();
  const taken: JobRow[] = [];
  for (const row of yield* rowsOf(statements.due, nowMs, limit)) {
    const jobId = wholeNumber(row['job_id']);
    taken.push(...(yield* rowsOf(statements.lease, owner, nowMs + leaseMs, nowMs, jobId)).map(jobRow));
  }
  return taken;
}

/** Prolongs the leases of jobs; answers how many are still the owner's. */
export function* renewJobs({ jobIds, owner, leaseMs }: Input<'renew'>): Steps<number> {
  const nowMs = yield* clockMs();
  let renewed = 0;
  for (const jobId of [...jobIds].sort((a, b) => a - b)) {
    renewed += yield* changesOf(statements.renew, nowMs + leaseMs, nowMs, jobId, owner);
  }
  return renewed;
}

/** Stores signed bytes if job lease and signer lease are still held (P9.5, P9.6 d); a replaced hash is kept (P9.8). */
export function* storeSigned(signed: SignedJob): Steps<boolean> {
  const { jobId, lease, accountNonce, rawTx, txHash, atMs } = signed;
  const { signer, owner, fence } = lease;
  const nowMs = yield* clockMs();
  if ((yield* firstOf(statements.holdsSigner, signer, owner, fence, nowMs)) === null) return false;
  const row = yield* firstOf(statements.job, jobId);
  if (row === null) return false;
  const notes = notesWith(jobRow(row), txHash);
  return (
    (yield* changesOf(
      statements.store,
      signer,
      accountNonce,
      rawTx,
      txHash,
      notes,
      atMs,
      jobId,
      owner,
      nowMs,
    )) === 1
  );
}

/** What is noted of a job when it gets another transaction: the hash it had joins the replaced ones. */
function notesWith({ outcomeJson, txHash }: JobRow, newHash: string): string | null {
  if (txHash === null || txHash === newHash) return outcomeJson;
  const notes = JSON.parse(outcomeJson ?? '{}') as { readonly replaced?: readonly string[] };
  return JSON.stringify({ ...notes, replaced: [...(notes.replaced ?? []), txHash] });
}

/** Gives a leased job back, to be tried again (P9.10). */
export function* giveJobBack(asked: Input<'giveBack'>): Steps<boolean> {
  const { notBeforeMs, error, atMs, jobId, owner } = asked;
  return (yield* changesOf(statements.giveBack, notBeforeMs, error, atMs, jobId, owner)) === 1;
}

/** Writes outcome and receipt transition in one transaction (P9.6 g) and forgets the payload (P8.62). */
export function* finishJob(asked: Input<'finish'>): Steps<'finished' | 'lost_lease' | 'lost_transition'> {
  const { jobId, owner, outcome, transition, atMs } = asked;
  const row = yield* firstOf(statements.job, jobId);
  if (row === null) return 'lost_lease';
  const state = outcome === 'unknown' ? 'dead' : 'done';
  const notes = merged(jobRow(row).outcomeJson, asked.outcomeJson);
  if ((yield* changesOf(statements.finish, state, outcome, notes, atMs, jobId, owner)) === 0)
    return 'lost_lease';
  return transition === null || (yield* moveReceipt(transition)) ? 'finished' : 'lost_transition';
}

/** The members of both objects, the later ones first asked. */
function merged(earlier: string | null, later: string | null): string | null {
  if (later === null) return earlier;
  return JSON.stringify({ ...JSON.parse(earlier ?? '{}'), ...JSON.parse(later) });
}

/** Gives the stored bytes of a settled job to the settler again, after its transaction has left the chain (P8.54). */
export function* sendJobAgain({ claimKey, atMs }: Input<'sendAgain'>): Steps<boolean> {
  return (yield* changesOf(statements.again, claimKey, atMs)) === 1;
}

/** Acquires or prolongs the signer for an owner; null while another's lease runs. */
export function* leaseSigner({ signer, owner, leaseMs }: Input<'leaseSigner'>): Steps<SignerLease | null> {
  const nowMs = yield* clockMs();
  const lease = yield* firstOf(statements.leaseSigner, signer, owner, nowMs + leaseMs, nowMs);
  return lease === null ? null : { signer, owner, fence: wholeNumber(lease['fence']) };
}

export function* releaseSigner({ signer, owner, fence }: SignerLease): Steps<void> {
  yield* rowsOf(statements.releaseSigner, signer, owner, fence);
}
