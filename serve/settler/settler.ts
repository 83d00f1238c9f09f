import type { ChainReader } from '../evm/chainReader.ts';
import type { SignerLease } from '../ledger/port/job.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../ledger/port/ledger.ts';
import { errorName } from '../log/log.ts';
import { alarm, noHints, type SettlementHints } from '../payments/settle/settlementHints.ts';
import { type RunningJob, runningJob, settleJob } from './settleJob.ts';
import type { SettlerChain } from './settlerChain.ts';

/** The settlement process without its process: takes jobs, settles them, keeps its leases (PAYMENTS 9). */
export type Settler = {
  /** Leases, takes what is due and moves every job one step; answers how many are in hand afterwards. */
  turn(): Promise<number>;
  /**
   * Turns every 250 ms, and takes new jobs when a server says there are some (P9.11), until stopped; then ends what it
   * has for at most 10 s and gives the account back (P9.15).
   */
  run(stopped: Promise<void>): Promise<void>;
};

const leaseMs = 30_000;
const renewEveryMs = 10_000;
const batch = 16;
const pauseMs = 250;
const blockedMs = 5000;
const endMs = 10_000;
/** After so long without a job, what the node says of the account's nonces is newer than what we remember. */
const recountMs = 20_000;

/** Builds a settler of one signing account. */
export function settler(deps: {
  ledger: Pick<Ledger, 'jobs' | 'findClaim'>;
  chain: SettlerChain;
  reader: ChainReader;
  owner: string;
  time: LedgerTime;
  log: LedgerLog;
  /** From 0 to 1, random for each back-off (P9.10). */
  random(): number;
  /** Notifications to and from servers (P9.11); without them both sides poll. */
  hints?: SettlementHints;
}): Settler {
  const { ledger, time, hints = noHints } = deps;
  const jobs = new Map<number, RunningJob>();
  let lease: SignerLease | null = null;
  let renewedMs = Number.NEGATIVE_INFINITY;
  let blockedUntilMs = Number.NEGATIVE_INFINITY;
  let ending = false;
  let idleSinceMs = time.nowMs();

  async function keepLeases(): Promise<void> {
    if (lease !== null && time.nowMs() - renewedMs < renewEveryMs) return;
    const before = lease?.fence ?? null;
    lease = await ledger.jobs.leaseSigner({ signer: deps.chain.signer, owner: deps.owner, leaseMs });
    if (lease === null) return;
    renewedMs = time.nowMs();
    // another process had the account in between: its nonces are not ours
    if (lease.fence !== before) deps.chain.resetNonces();
    if (jobs.size > 0) await ledger.jobs.renew({ jobIds: [...jobs.keys()], owner: deps.owner, leaseMs });
  }

  async function takeJobs(): Promise<readonly RunningJob[]> {
    if (ending || time.nowMs() < blockedUntilMs || jobs.size >= batch) return [];
    const rows = await ledger.jobs.take({ owner: deps.owner, leaseMs, limit: batch - jobs.size });
    // a transaction that left the chain and did not come back has left a gap (P9.7)
    if (rows.length > 0 && jobs.size === 0 && time.nowMs() - idleSinceMs >= recountMs)
      deps.chain.resetNonces();
    const taken = rows.map(runningJob);
    for (const job of taken) jobs.set(job.row.jobId, job);
    return taken;
  }

  function isNonceInHand(accountNonce: number): boolean {
    return [...jobs.values()].some(({ row }) => row.state === 'sent' && row.accountNonce === accountNonce);
  }

  async function step(job: RunningJob): Promise<void> {
    const { jobId } = job.row;
    if (job.row.kind !== 'evm_exact') {
      await ledger.jobs.giveBack({
        jobId,
        owner: deps.owner,
        notBeforeMs: time.nowMs() + blockedMs,
        error: 'not_ours',
        atMs: time.nowMs(),
      });
      jobs.delete(jobId);
      return;
    }
    const ended = await settleJob(job, { ...deps, lease: () => lease, isNonceInHand });
    if (ended === 'blocked') {
      blockedUntilMs = time.nowMs() + blockedMs;
      deps.log({ level: 'error', event: 'settler_blocked', fields: { job: jobId } });
    }
    if (ended === 'open') return;
    jobs.delete(jobId);
    idleSinceMs = time.nowMs();
    // handlers wait for an end, and a blocked settler closes the door to its queue (P9.10)
    hints.touch();
  }

  // nonces are assigned in the order of the queue
  async function stepEach(some: readonly RunningJob[]): Promise<number> {
    for (const job of some) await step(job);
    return jobs.size;
  }

  async function turn(): Promise<number> {
    await keepLeases();
    // without the account nothing can be signed, and nothing is taken from its owner (X46)
    if (lease === null) return jobs.size;
    await takeJobs();
    return stepEach([...jobs.values()]);
  }

  /** A notification makes it read new jobs only; sent transactions are polled as blocks come. */
  async function takeNew(): Promise<number> {
    return lease === null ? jobs.size : stepEach(await takeJobs());
  }

  return {
    turn,
    async run(stopped) {
      const woken = alarm();
      const deaf = hints.onTouch(woken.ring);
      void stopped.then(() => {
        ending = true;
        woken.ring();
      });
      let due = true;
      let endByMs: number | null = null;
      for (;;) {
        const whole = due;
        due = false;
        const left = await attempt(whole ? turn : takeNew, deps.log);
        if (whole) {
          time.after(pauseMs, () => {
            due = true;
            woken.ring();
          });
        }
        if (ending) {
          endByMs ??= time.nowMs() + endMs;
          if (left === 0 || time.nowMs() >= endByMs) break;
        }
        await woken.rung();
      }
      deaf();
      if (lease !== null) await ledger.jobs.releaseSigner(lease);
    },
  };
}

async function attempt(look: () => Promise<number>, log: LedgerLog): Promise<number> {
  try {
    return await look();
  } catch (error) {
    // a ledger that is away for a moment loses nothing: jobs and bytes are in it
    const why = errorName(error);
    log({ level: 'error', event: 'settler_turn_failed', fields: { why } });
    return 0;
  }
}
