import type { Ledger, LedgerLog, LedgerTime } from '../ledger/ledger.ts';
import type { SignerLease } from '../ledger/port/job.ts';
import type { ChainReader } from '../payments/evm/chainReader.ts';
import { type RunningJob, runningJob, settleJob } from './settleJob.ts';
import type { SettlerChain } from './settlerChain.ts';

/** The settlement process without its process: takes jobs, settles them, keeps its leases (PAYMENTS 9). */
export type Settler = {
  /** Leases, takes what is due and moves every job one step; answers how many are in hand afterwards. */
  turn(): Promise<number>;
  /** Turns until stopped; then ends what it has for at most 10 s and gives the account back (P9.15). */
  run(stopped: Promise<void>): Promise<void>;
};

const leaseMs = 30_000;
const renewEveryMs = 10_000;
const batch = 16;
const pauseMs = 250;
const blockedMs = 5000;
const endMs = 10_000;

/** Builds a settler of one signing account. */
export function settler(o: {
  ledger: Pick<Ledger, 'jobs' | 'findClaim'>;
  chain: SettlerChain;
  reader: ChainReader;
  owner: string;
  time: LedgerTime;
  log: LedgerLog;
}): Settler {
  const { ledger, time } = o;
  const jobs = new Map<number, RunningJob>();
  let lease: SignerLease | null = null;
  let renewedMs = Number.NEGATIVE_INFINITY;
  let blockedUntilMs = Number.NEGATIVE_INFINITY;
  let ending = false;

  async function keepLeases(): Promise<void> {
    if (lease !== null && time.nowMs() - renewedMs < renewEveryMs) return;
    const before = lease?.fence ?? null;
    lease = await ledger.jobs.leaseSigner({ signer: o.chain.signer, owner: o.owner, leaseMs });
    if (lease === null) return;
    renewedMs = time.nowMs();
    // another process had the account in between: its nonces are not ours
    if (lease.fence !== before) o.chain.resetNonces();
    if (jobs.size > 0) await ledger.jobs.renew({ jobIds: [...jobs.keys()], owner: o.owner, leaseMs });
  }

  async function takeJobs(): Promise<void> {
    if (ending || time.nowMs() < blockedUntilMs || jobs.size >= batch) return;
    const taken = await ledger.jobs.take({ owner: o.owner, leaseMs, limit: batch - jobs.size });
    for (const row of taken) jobs.set(row.jobId, runningJob(row));
  }

  async function step(job: RunningJob): Promise<void> {
    const { jobId } = job.row;
    if (job.row.kind !== 'evm_exact') {
      await ledger.jobs.giveBack({
        jobId,
        owner: o.owner,
        notBeforeMs: time.nowMs() + blockedMs,
        error: 'not_ours',
        atMs: time.nowMs(),
      });
      jobs.delete(jobId);
      return;
    }
    const ended = await settleJob(job, { ...o, lease: () => lease });
    if (ended === 'blocked') {
      blockedUntilMs = time.nowMs() + blockedMs;
      o.log({ level: 'error', event: 'settler_blocked', fields: { job: jobId } });
    }
    if (ended !== 'open') jobs.delete(jobId);
  }

  async function turn(): Promise<number> {
    await keepLeases();
    // without the account nothing can be signed, and nothing is taken from its owner (X46)
    if (lease === null) return jobs.size;
    await takeJobs();
    // nonces are given out in the order of the queue
    for (const job of [...jobs.values()]) await step(job);
    return jobs.size;
  }

  return {
    turn,
    async run(stopped) {
      void stopped.then(() => {
        ending = true;
      });
      let endByMs: number | null = null;
      for (;;) {
        const left = await attempt(turn, o.log);
        if (ending) {
          endByMs ??= time.nowMs() + endMs;
          if (left === 0 || time.nowMs() >= endByMs) break;
        }
        await new Promise<void>((resolve) => {
          time.after(pauseMs, resolve);
        });
      }
      if (lease !== null) await ledger.jobs.releaseSigner(lease);
    },
  };
}

async function attempt(turn: () => Promise<number>, log: LedgerLog): Promise<number> {
  try {
    return await turn();
  } catch (error) {
    // a ledger that is away for a moment loses nothing: jobs and bytes are in it
    const why = error instanceof Error ? error.name : 'error';
    log({ level: 'error', event: 'settler_turn_failed', fields: { why } });
    return 0;
  }
}
