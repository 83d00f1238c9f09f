import { bytes, integer, jsonText, optional, type RowOf, rowReader, text } from '../rows/columns.ts';
import type { SettlementJobInput, Transition } from './payment.ts';

// the queue of the settlement process (PAYMENTS 9)

export type JobState = 'queued' | 'leased' | 'sent' | 'done' | 'dead';
export type JobOutcome = 'settled' | 'refused' | 'unknown';

export const jobTable = {
  jobId: integer('job_id'),
  claimKey: bytes('claim_key'),
  kind: text<SettlementJobInput['kind']>('kind'),
  /** null once the job has ended (P8.62) */
  payload: optional(bytes('payload')),
  state: text<JobState>('state'),
  leaseOwner: optional(text('lease_owner')),
  leaseUntilMs: optional(integer('lease_until_ms')),
  attempts: integer('attempts'),
  notBeforeMs: integer('not_before_ms'),
  deadlineMs: integer('deadline_ms'),
  signer: optional(text('signer')),
  accountNonce: optional(integer('account_nonce')),
  rawTx: optional(bytes('raw_tx')),
  txHash: optional(text('tx_hash')),
  outcome: optional(text<JobOutcome>('outcome')),
  outcomeJson: optional(jsonText('outcome_json')),
  lastError: optional(text('last_error')),
} as const;

export type JobRow = RowOf<typeof jobTable>;
export const jobRow = rowReader(jobTable);

/** The right to use one signing account; `fence` grows at every change of owner (P9.5). */
export type SignerLease = { readonly signer: string; readonly owner: string; readonly fence: number };

/** What the settler stores before it sends (P9.6 d). */
export type SignedJob = {
  readonly jobId: number;
  readonly lease: SignerLease;
  readonly accountNonce: number;
  readonly rawTx: Uint8Array;
  readonly txHash: string;
  readonly atMs: number;
};

export type JobQueue = {
  /** Leases queued jobs that are due, and leased or sent ones whose lease is over (P9.4, P9.8). */
  take(o: { owner: string; leaseMs: number; limit: number }): Promise<readonly JobRow[]>;
  /** Prolongs the leases of jobs; answers how many are still the owner's. */
  renew(o: { jobIds: readonly number[]; owner: string; leaseMs: number }): Promise<number>;
  /** Stores signed bytes, state `sent`, if job lease and signer lease are still held (P9.5). */
  storeSigned(signed: SignedJob): Promise<boolean>;
  /** Gives a leased job back, to be tried again (P9.10). */
  giveBack(o: {
    jobId: number;
    owner: string;
    notBeforeMs: number;
    error: string;
    atMs: number;
  }): Promise<boolean>;
  /** Writes outcome and receipt transition in one transaction (P9.6 g) and forgets the payload (P8.62). */
  finish(o: {
    jobId: number;
    owner: string;
    outcome: JobOutcome;
    outcomeJson: string | null;
    transition: Transition | null;
    atMs: number;
  }): Promise<'finished' | 'lost_lease' | 'lost_transition'>;
  /**
   * Gives the stored bytes of a settled job to the settler again, after its transaction has left the chain (P8.54);
   * false when there are none, they can no longer count, or another job has their account nonce.
   */
  sendAgain(o: { claimKey: Uint8Array; atMs: number }): Promise<boolean>;
  ofClaim(claimKey: Uint8Array): Promise<JobRow | null>;
  /** Acquires or prolongs the signer for an owner; null while another's lease runs. */
  leaseSigner(o: { signer: string; owner: string; leaseMs: number }): Promise<SignerLease | null>;
  releaseSigner(lease: SignerLease): Promise<void>;
};
