import type { SignerLease } from '../ledger/port/job.ts';
import type { LedgerLog } from '../ledger/port/ledger.ts';
import { errorName } from '../log/log.ts';
import { alarm, noHints, type SettlementHints } from '../payments/settle/settlementHints.ts';
import { type RunningJob, runningJob, type SettlingDeps, settleJob } from './settleJob.ts';

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

type SettlerDeps = SettlingDeps & {
  /** Notifications to and from servers (P9.11); without them both sides poll. */
  readonly hints?: SettlementHints;
};

/** The jobs in hand, and what the settler knows of its account. */
type SettlerState = Required<SettlerDeps> & {
  readonly jobs: Map<number, RunningJob>;
  lease: SignerLease | null;
  renewedMs: number;
  blockedUntilMs: number;
  ending: boolean;
  idleSinceMs: number;
};

/** Builds a settler of one signing account. */
export function settler(deps: SettlerDeps): Settler {
  const state: SettlerState = {
    ...deps,
    hints: deps.hints ?? noHints,
    jobs: new Map(),
    lease: null,
    renewedMs: Number.NEGATIVE_INFINITY,
    blockedUntilMs: Number.NEGATIVE_INFINITY,
    ending: false,
    idleSinceMs: deps.time.nowMs(),
  };
  return { turn: () => turn(state), run: (stopped) => run(state, stopped) };
}

async function keepLeases(state: SettlerState): Promise<void> {
  const { ledger, time, chain, owner, jobs } = state;
  if (state.lease !== null && time.nowMs() - state.renewedMs < renewEveryMs) return;
  const before = state.lease?.fence ?? null;
  const lease = await ledger.jobs.leaseSigner({ signer: chain.signer, owner, leaseMs });
  state.lease = lease;
  if (lease === null) return;
  state.renewedMs = time.nowMs();
  // another process had the account in between: its nonces are not ours
  if (lease.fence !== before) chain.resetNonces();
  if (jobs.size > 0) await ledger.jobs.renew({ jobIds: [...jobs.keys()], owner, leaseMs });
}

async function takeJobs(state: SettlerState): Promise<readonly RunningJob[]> {
  const { ledger, time, chain, owner, jobs } = state;
  if (state.ending || time.nowMs() < state.blockedUntilMs || jobs.size >= batch) return [];
  const rows = await ledger.jobs.take({ owner, leaseMs, limit: batch - jobs.size });
  // a transaction that left the chain and did not come back has left a gap (P9.7)
  if (rows.length > 0 && jobs.size === 0 && time.nowMs() - state.idleSinceMs >= recountMs)
    chain.resetNonces();
  const taken = rows.map(runningJob);
  for (const job of taken) jobs.set(job.row.jobId, job);
  return taken;
}

function isNonceInHand({ jobs }: SettlerState, accountNonce: number): boolean {
  return [...jobs.values()].some(({ row }) => row.state === 'sent' && row.accountNonce === accountNonce);
}

async function step(state: SettlerState, job: RunningJob): Promise<void> {
  const { ledger, time, owner, jobs } = state;
  const { jobId } = job.row;
  if (job.row.kind !== 'evm_exact') {
    await ledger.jobs.giveBack({
      jobId,
      owner,
      notBeforeMs: time.nowMs() + blockedMs,
      error: 'not_ours',
      atMs: time.nowMs(),
    });
    jobs.delete(jobId);
    return;
  }
  const ended = await settleJob(job, {
    ...state,
    lease: () => state.lease,
    isNonceInHand: (accountNonce) => isNonceInHand(state, accountNonce),
  });
  if (ended === 'blocked') {
    state.blockedUntilMs = time.nowMs() + blockedMs;
    state.log({ level: 'error', event: 'settler_blocked', fields: { job: jobId } });
  }
  if (ended === 'open') return;
  jobs.delete(jobId);
  state.idleSinceMs = time.nowMs();
  // handlers wait for an end, and a blocked settler closes the door to its queue (P9.10)
  state.hints.touch();
}

// nonces are assigned in the order of the queue
async function stepEach(state: SettlerState, some: readonly RunningJob[]): Promise<number> {
  for (const job of some) await step(state, job);
  return state.jobs.size;
}

async function turn(state: SettlerState): Promise<number> {
  await keepLeases(state);
  // without the account nothing can be signed, and nothing is taken from its owner (X46)
  if (state.lease === null) return state.jobs.size;
  await takeJobs(state);
  return stepEach(state, [...state.jobs.values()]);
}

/** A notification makes it read new jobs only; sent transactions are polled as blocks come. */
async function takeNew(state: SettlerState): Promise<number> {
  return state.lease === null ? state.jobs.size : stepEach(state, await takeJobs(state));
}

async function run(state: SettlerState, stopped: Promise<void>): Promise<void> {
  const { ledger, time, hints } = state;
  const woken = alarm();
  const deaf = hints.onTouch(woken.ring);
  void stopped.then(() => {
    state.ending = true;
    woken.ring();
  });
  let due = true;
  let endByMs: number | null = null;
  for (;;) {
    const whole = due;
    due = false;
    const left = await attempt(() => (whole ? turn(state) : takeNew(state)), state.log);
    if (whole) {
      time.after(pauseMs, () => {
        due = true;
        woken.ring();
      });
    }
    if (state.ending) {
      endByMs ??= time.nowMs() + endMs;
      if (left === 0 || time.nowMs() >= endByMs) break;
    }
    await woken.rung();
  }
  deaf();
  if (state.lease !== null) await ledger.jobs.releaseSigner(state.lease);
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
