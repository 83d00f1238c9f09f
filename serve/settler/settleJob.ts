import { type ChainReader, ChainUnavailable, paysClaim } from '../evm/chainReader.ts';
import { hexOfBytes } from '../evm/ethereumBytes.ts';
import type { JobOutcome, JobRow, SignerLease } from '../ledger/port/job.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../ledger/port/ledger.ts';
import type { ClaimedPayment, Transition } from '../ledger/port/payment.ts';
import { resolveExact } from '../payments/recovery/resolution.ts';
import {
  type Fees,
  type MinedJob,
  RpcFailure,
  type SettlerChain,
  type SignedTransfer,
  transferOfJob,
} from './settlerChain.ts';

/** How one step of a job ended. `open`: it stays with this process, step again later. */
type JobStep = 'done' | 'given_back' | 'open' | 'blocked';

/** What settling works with. */
export type SettlingDeps = {
  readonly ledger: Pick<Ledger, 'jobs' | 'findClaim'>;
  readonly chain: SettlerChain;
  readonly reader: ChainReader;
  readonly owner: string;
  readonly time: LedgerTime;
  readonly log: LedgerLog;
  /** From 0 to 1, random for each back-off (P9.10). */
  random(): number;
};

type Deps = SettlingDeps & {
  /** The right to use the signing account; null while another process has it (P9.5). */
  lease(): SignerLease | null;
  /** True when bytes of another job of this process were signed with this account nonce. */
  isNonceInHand(accountNonce: number): boolean;
};

const gasMarginPercent = 20n;
const replaceAfterMs = 20_000;
/** A node takes a replacement from 10 % more on; some want an eighth (P9.8). */
const replacementPercent = 1125n;
/** When the block of a transfer is first checked: early enough to send it again (P8.54). */
const finalityCheckMs = 10_000;

/** A job with what this process has done for it. */
export type RunningJob = {
  row: JobRow;
  /** When the newest bytes were sent. */
  sentMs: number | null;
  fees: Fees | null;
  gas: bigint | null;
  /** Every hash that may be mined, newest first. */
  hashes: readonly string[];
};

/** Starts with a job as it was leased; one that was sent before is never signed again (P9.8). */
export function runningJob(row: JobRow): RunningJob {
  const replaced = replacedHashes(row.outcomeJson);
  const hashes = row.txHash === null ? [] : [row.txHash, ...replaced];
  return { row, sentMs: null, fees: null, gas: null, hashes };
}

/** Takes one step with a job (P9.6); the caller repeats it while it is `open`. */
export async function settleJob(job: RunningJob, deps: Deps): Promise<JobStep> {
  const claim = await deps.ledger.findClaim(job.row.claimKey);
  const back = claim?.receipt.chargeStatus === 'settled' && job.row.state === 'sent';
  if (claim === null || (claim.receipt.chargeStatus !== 'submitted' && !back)) return close(job, deps, claim);
  try {
    if (back) return await sendAgain(job, claim, deps);
    if (job.row.state === 'sent') return await follow(job, claim, deps);
    return await submit(job, claim, deps);
  } catch (error) {
    if (!(error instanceof RpcFailure || error instanceof ChainUnavailable)) throw error;
    deps.log({ level: 'warn', event: 'settler_rpc_error', fields: { job: job.row.jobId } });
    if (job.row.state === 'sent') return 'open';
    deps.chain.resetNonces();
    return giveBack(job, deps, 'rpc');
  }
}

/** (a) to (e): deadline, dry run, nonce, signature, bytes on disk, and only then bytes on the wire. */
async function submit(job: RunningJob, claim: ClaimedPayment, deps: Deps): Promise<JobStep> {
  const { chain, time } = deps;
  if (time.nowMs() > job.row.deadlineMs) return tooLate(job, claim, deps);
  const transfer = transferOfJob(job.row.payload);
  if (transfer === null) return refuse(job, claim, deps, 'unreadable_job');
  // three questions, one wait: a payer waits for each round trip to the node
  const [simulated, fees, wei] = await Promise.all([chain.simulate(transfer), chain.fees(), chain.balance()]);
  if (simulated.kind === 'reverted') return refuse(job, claim, deps, simulated.reason);
  if (simulated.kind === 'nonce_used') return resolve(job, claim, deps);
  const gas = (simulated.gas * (100n + gasMarginPercent)) / 100n;
  if (fees === null || wei < gas * fees.maxFeePerGas) {
    await giveBack(job, deps, fees === null ? 'base_fee_above_cap' : 'out_of_gas_funds');
    return 'blocked';
  }
  const lease = deps.lease();
  if (lease === null) return giveBack(job, deps, 'signer_not_ours');
  const accountNonce = await chain.allocateNonce();
  // the node has lost the bytes of a job in hand, which sends them again: until then nothing new is signed (P9.7)
  if (deps.isNonceInHand(accountNonce)) {
    chain.resetNonces();
    return giveBack(job, deps, 'nonce_gap');
  }
  return signAndSend(job, { transfer, lease, accountNonce, gas, fees }, deps);
}

/** Past its deadline nothing is sent; but a third party may have submitted the authorization meanwhile (X12, X45). */
async function tooLate(job: RunningJob, claim: ClaimedPayment, deps: Deps): Promise<JobStep> {
  const used = await deps.reader.authorizationUsed(authorizationOf(claim));
  return used ? resolve(job, claim, deps) : refuse(job, claim, deps, 'expired_in_queue');
}

function authorizationOf({ payment }: ClaimedPayment): { asset: string; payer: string; nonce: string } {
  const { domainContract: asset, payer, nonce } = payment;
  return { asset, payer, nonce: hexOfBytes(nonce) };
}

async function signAndSend(
  job: RunningJob,
  input: { transfer: SignedTransfer; lease: SignerLease; accountNonce: number; gas: bigint; fees: Fees },
  deps: Deps,
): Promise<JobStep> {
  const { chain, ledger, time } = deps;
  const { rawTx, txHash } = await chain.sign(input);
  const stored = await ledger.jobs.storeSigned({
    jobId: job.row.jobId,
    lease: input.lease,
    accountNonce: input.accountNonce,
    rawTx,
    txHash,
    atMs: time.nowMs(),
  });
  // another process holds the job or the account: these bytes are never sent (P9.5)
  if (!stored) {
    chain.resetNonces();
    return 'given_back';
  }
  job.row = {
    ...job.row,
    state: 'sent',
    rawTx,
    txHash,
    accountNonce: input.accountNonce,
    signer: chain.signer,
  };
  job.hashes = [txHash, ...job.hashes];
  job.fees = input.fees;
  job.gas = input.gas;
  await sendStored(job, deps);
  return 'open';
}

async function sendStored(job: RunningJob, deps: Deps): Promise<void> {
  if (job.row.rawTx === null) return;
  job.sentMs = deps.time.nowMs();
  const sent = await deps.chain.send(job.row.rawTx);
  if (sent === 'no_funds') deps.log({ level: 'error', event: 'settler_blocked', fields: { why: 'gas' } });
}

/** (f): waits for one of the hashes, sends the stored bytes again after a restart, raises the fee when it is slow. */
async function follow(job: RunningJob, claim: ClaimedPayment, deps: Deps): Promise<JobStep> {
  for (const hash of job.hashes) {
    const mined = await deps.chain.mined(hash);
    if (mined !== null) return conclude(job, claim, mined, deps);
  }
  if (job.sentMs === null) {
    await sendStored(job, deps);
    return 'open';
  }
  if (deps.time.nowMs() - job.sentMs < replaceAfterMs) return 'open';
  // its nonce, or one before it, may be one the node knows nothing of: a gap nothing behind it would pass (P9.7)
  deps.chain.resetNonces();
  // the authorization may have expired or been submitted by a third party
  const resolution = await resolveExact(claim, deps.reader);
  if (resolution.kind === 'settled' || resolution.kind === 'failed') return resolve(job, claim, deps);
  return replace(job, deps);
}

/** The transfer of a settled receipt has left the chain (P8.54): the same bytes, until it is back or cannot be. */
async function sendAgain(job: RunningJob, claim: ClaimedPayment, deps: Deps): Promise<JobStep> {
  const used = await deps.reader.authorizationUsed(authorizationOf(claim));
  const nowMs = deps.time.nowMs();
  if (used || nowMs > job.row.deadlineMs) {
    if (!used) deps.chain.resetNonces();
    return finish(job, deps, { outcome: used ? 'settled' : 'unknown', outcomeJson: null, transition: null });
  }
  if (job.sentMs === null || nowMs - job.sentMs >= replaceAfterMs) await sendStored(job, deps);
  return 'open';
}

async function replace(job: RunningJob, deps: Deps): Promise<JobStep> {
  const transfer = transferOfJob(job.row.payload);
  const lease = deps.lease();
  const { accountNonce, signer } = job.row;
  const ours = signer === deps.chain.signer && accountNonce !== null;
  if (transfer === null || lease === null || !ours || job.fees === null || job.gas === null) {
    await sendStored(job, deps);
    return 'open';
  }
  deps.log({ level: 'info', event: 'settler_replacement', fields: { job: job.row.jobId } });
  const fees = raised(job.fees);
  return signAndSend(job, { transfer, lease, accountNonce, gas: job.gas, fees }, deps);
}

/** A mined transaction of ours: the transfer, or a revert that the chain explains. */
async function conclude(
  job: RunningJob,
  claim: ClaimedPayment,
  mined: MinedJob,
  deps: Deps,
): Promise<JobStep> {
  const seen = await deps.reader.transaction(mined.transaction);
  if (mined.succeeded && seen !== null && paysClaim(seen, claim.payment))
    return settle(job, claim, deps, mined);
  return resolve(job, claim, deps);
}

/** The chain decides about an authorization that was used or can no longer be (P8.52). */
async function resolve(job: RunningJob, claim: ClaimedPayment, deps: Deps): Promise<JobStep> {
  const resolution = await resolveExact(claim, deps.reader);
  switch (resolution.kind) {
    case 'settled':
      return settle(job, claim, deps, {
        transaction: resolution.transaction,
        blockNumber: resolution.blockNumber,
      });
    case 'failed':
      return refuse(job, claim, deps, resolution.reason);
    default:
      return job.row.state === 'sent' ? 'open' : giveBack(job, deps, 'undecided');
  }
}

async function settle(
  job: RunningJob,
  claim: ClaimedPayment,
  deps: Deps,
  mined: Pick<MinedJob, 'transaction' | 'blockNumber'> & Partial<MinedJob>,
): Promise<JobStep> {
  const atMs = deps.time.nowMs();
  const { transaction, blockNumber, gasUsed, effectiveGasPrice } = mined;
  return finish(job, deps, {
    outcome: 'settled',
    outcomeJson: JSON.stringify({
      transaction,
      block: blockNumber,
      gas_used: gasUsed?.toString() ?? null,
      gas_price_wei: effectiveGasPrice?.toString() ?? null,
    }),
    transition: {
      receiptId: claim.receipt.receiptId,
      from: 'submitted',
      to: 'settled',
      actor: 'handler',
      reason: 'settled',
      externalRef: transaction,
      atMs,
      set: {
        settlementTxHash: transaction,
        finality: 'included',
        blockNumber,
        nextCheckMs: atMs + finalityCheckMs,
      },
    },
  });
}

function refuse(job: RunningJob, claim: ClaimedPayment, deps: Deps, reason: string): Promise<JobStep> {
  return finish(job, deps, {
    outcome: 'refused',
    outcomeJson: JSON.stringify({ reason }),
    transition: {
      receiptId: claim.receipt.receiptId,
      from: 'submitted',
      to: 'failed',
      actor: 'handler',
      reason,
      atMs: deps.time.nowMs(),
      set: { failureReason: reason, nextCheckMs: null },
    },
  });
}

/** Another process wrote the receipt's outcome already: nothing is sent any more. */
async function close(job: RunningJob, deps: Deps, claim: ClaimedPayment | null): Promise<JobStep> {
  const outcome = claim?.receipt.chargeStatus === 'settled' ? 'settled' : 'refused';
  // any transaction sent for it may never be mined, and its nonce stay unused (P9.7)
  if (job.row.state === 'sent') deps.chain.resetNonces();
  return finish(job, deps, { outcome, outcomeJson: null, transition: null });
}

async function finish(
  job: RunningJob,
  deps: Deps,
  input: { outcome: JobOutcome; outcomeJson: string | null; transition: Transition | null },
): Promise<JobStep> {
  const { jobId } = job.row;
  const ended = await deps.ledger.jobs.finish({
    jobId,
    owner: deps.owner,
    atMs: deps.time.nowMs(),
    ...input,
  });
  deps.log({ level: 'info', event: 'settler_job', fields: { job: jobId, outcome: input.outcome, ended } });
  return 'done';
}

async function giveBack(job: RunningJob, deps: Deps, error: string): Promise<JobStep> {
  const atMs = deps.time.nowMs();
  const waitMs = backOffMs(job.row.attempts, deps.random);
  const { jobId } = job.row;
  await deps.ledger.jobs.giveBack({ jobId, owner: deps.owner, notBeforeMs: atMs + waitMs, error, atMs });
  return 'given_back';
}

function raised(fees: Fees): Fees {
  const more = (wei: bigint): bigint => (wei * replacementPercent) / 1000n + 1n;
  return {
    maxFeePerGas: more(fees.maxFeePerGas),
    maxPriorityFeePerGas: more(fees.maxPriorityFeePerGas),
  };
}

function replacedHashes(outcomeJson: string | null): string[] {
  const parsed: unknown = outcomeJson === null ? null : JSON.parse(outcomeJson);
  const replaced = (parsed as { replaced?: unknown } | null)?.replaced;
  return Array.isArray(replaced) ? replaced.filter((hash) => typeof hash === 'string') : [];
}

const stepsMs = [500, 1000, 2000, 4000, 8000, 15_000];

/**
 * How long a job waits after its `attempts`-th try met a node that failed: 0.5 s, 1 s, 2 s … 15 s, and of each between a
 * half and the whole by chance, so that jobs that failed together do not come back together (P9.10).
 */
export function backOffMs(attempts: number, random: () => number): number {
  const most = stepsMs[Math.min(Math.max(attempts, 1), stepsMs.length) - 1] ?? 15_000;
  return Math.round((most * (1 + random())) / 2);
}
