import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Ledger } from '../ledger/port/ledger.ts';
import { RpcFailure, type SettlerChain } from './settlerChain.ts';

/** The settlement process, counted (P9.14): it opens no port, so its text goes into a file. */
export type WatchedSettler = {
  readonly chain: SettlerChain;
  readonly jobs: Ledger['jobs'];
  /** A warning or an error of its log, by name. */
  alert(event: string): void;
  text(): Promise<string>;
};

const waitBuckets = [0.5, 1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 60];

/** Wraps node and queue of a settler; `nowMs` is the clock jobs are stamped with. */
export function watchSettler({
  chain,
  jobs,
  nowMs,
}: {
  chain: SettlerChain;
  jobs: Ledger['jobs'];
  nowMs(): number;
}): WatchedSettler {
  const metrics = settlerMetrics();
  return {
    text: () => metrics.registry.metrics(),
    alert: (event) => metrics.alerts.inc({ event }),
    chain: watchedChain(chain, metrics),
    jobs: watchedJobs(jobs, metrics, nowMs),
  };
}

type SettlerMetrics = ReturnType<typeof settlerMetrics>;

function settlerMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const waits = new Histogram({
    name: 'settler_wait_seconds',
    help: 'Time from a job being due to its outcome.',
    buckets: waitBuckets,
    registers,
  });
  const gas = new Counter({ name: 'settler_gas_wei_total', help: 'Wei paid for mined jobs.', registers });
  const balance = new Gauge({
    name: 'settler_signer_balance_wei',
    help: 'Wei of the signing account before the newest job.',
    registers,
  });
  // an unlabelled gauge starts with 0, which would look like an empty purse
  balance.remove();
  const gap = new Gauge({
    name: 'settler_nonce_gap',
    help: 'Account nonces given out whose bytes have not left.',
    registers,
  });
  const replacements = new Counter({
    name: 'settler_replacements_total',
    help: 'Transactions signed anew with a higher fee.',
    registers,
  });
  const failures = new Counter({
    name: 'settler_rpc_errors_total',
    help: 'Calls the node did not answer, by call.',
    labelNames: ['kind'],
    registers,
  });
  const alerts = new Counter({
    name: 'settler_alerts_total',
    help: 'Warnings and errors in the log of the settlement process, by event.',
    labelNames: ['event'],
    registers,
  });
  return { registry, waits, gas, balance, gap, replacements, failures, alerts };
}

function watchedChain(
  chain: SettlerChain,
  { balance, gap, replacements, failures }: SettlerMetrics,
): SettlerChain {
  const unsent = new Set<number>();
  const signed = new Set<number>();
  const nonceOf = new WeakMap<Uint8Array, number>();

  async function counted<T>(kind: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof RpcFailure) failures.inc({ kind });
      throw error;
    }
  }

  // a nonce may be unsent for as long as a call takes; what stays is a gap
  function showGap(): void {
    gap.set(unsent.size);
  }

  return {
    signer: chain.signer,
    simulate: (transfer) => counted('simulate', () => chain.simulate(transfer)),
    fees: () => counted('fees', chain.fees),
    mined: (txHash) => counted('mined', () => chain.mined(txHash)),
    async balance() {
      const wei = await counted('balance', chain.balance);
      balance.set(Number(wei));
      return wei;
    },
    async allocateNonce() {
      const nonce = await counted('allocate_nonce', chain.allocateNonce);
      unsent.add(nonce);
      showGap();
      return nonce;
    },
    resetNonces() {
      unsent.clear();
      showGap();
      chain.resetNonces();
    },
    async sign(job) {
      if (signed.has(job.accountNonce)) replacements.inc();
      signed.add(job.accountNonce);
      const bytes = await counted('sign', () => chain.sign(job));
      nonceOf.set(bytes.rawTx, job.accountNonce);
      return bytes;
    },
    async send(rawTx) {
      const sent = await counted('send', () => chain.send(rawTx));
      const nonce = nonceOf.get(rawTx);
      if (nonce !== undefined && sent !== 'no_funds') unsent.delete(nonce);
      showGap();
      return sent;
    },
  };
}

function watchedJobs(
  jobs: Ledger['jobs'],
  { waits, gas }: SettlerMetrics,
  nowMs: () => number,
): Ledger['jobs'] {
  const dueMs = new Map<number, number>();
  return {
    ...jobs,
    async take(asked) {
      const taken = await jobs.take(asked);
      for (const { jobId, notBeforeMs } of taken) if (!dueMs.has(jobId)) dueMs.set(jobId, notBeforeMs);
      return taken;
    },
    async finish(end) {
      const finished = await jobs.finish(end);
      const since = dueMs.get(end.jobId);
      dueMs.delete(end.jobId);
      if (finished !== 'finished') return finished;
      if (since !== undefined) waits.observe(Math.max(0, nowMs() - since) / 1000);
      gas.inc(Number(gasWei(end.outcomeJson)));
      return finished;
    },
  };
}

/** Gas used times its price, as the settler wrote them (P9.13); 0 when nothing was mined by it. */
function gasWei(outcomeJson: string | null): bigint {
  const outcome = outcomeJson === null ? null : (JSON.parse(outcomeJson) as Record<string, unknown>);
  const [used, price] = [outcome?.['gas_used'], outcome?.['gas_price_wei']];
  return typeof used === 'string' && typeof price === 'string' ? BigInt(used) * BigInt(price) : 0n;
}
