import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Claimed, Payable, Rail } from '../../access/accessDecision.ts';
import type { DebitState } from '../../ledger/port/grant.ts';
import type { ChargeStatus } from '../../ledger/port/ledger.ts';
import type { Provider } from '../../ledger/port/payment.ts';
import type { SettlementMode } from '../../ledger/port/receipt.ts';

/** What became of a claim: ours, taken by the same or another payment, or not written. */
export type ClaimOutcome = 'won' | 'taken' | 'client_ref' | 'tx_hash' | 'failed';
/** What became of the money (P0.4). */
export type PaymentOutcome = 'settled' | 'refused' | 'unknown';

/** Counters of the payment path (P9.14); every label is a word of the ledger's vocabulary. */
export type PaymentMetrics = {
  claim(provider: Provider, result: ClaimOutcome): void;
  outcome(provider: Provider, outcome: PaymentOutcome): void;
  /** A payment moved on by recovery or reconciliation (P8.41). */
  recovered(provider: Provider, state: ChargeStatus): void;
  /** From the claim to its outcome, even after its request has left. */
  settled(provider: Provider, seconds: number): void;
  /** How long a handler waited. */
  waited(rail: Rail['name'], seconds: number): void;
  charge(rail: SettlementMode, state: ChargeStatus | DebitState | 'refused'): void;
  /** One commit of the ledger. */
  commit(input: { readonly operations: number; readonly commitMs: number }): void;
};

const commitBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const settleBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 6, 8, 10, 15, 20, 30, 60];

/** Makes the instruments of a registry, each of a name and a sentence. */
export function instruments(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter<Label>({ name, help, labelNames, registers }),
    gauge: <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
      new Gauge<Label>({ name, help, labelNames, registers }),
    histogram: <Label extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      ...labelNames: Label[]
    ) => new Histogram<Label>({ name, help, labelNames, buckets, registers }),
  };
}

/** Registers the counters. */
export function paymentMetrics(registry: Registry): PaymentMetrics {
  const { counter, histogram } = instruments(registry);
  const claims = counter('pay_claims_total', 'Claims by provider and result.', 'provider', 'result');
  const outcomes = counter(
    'pay_outcomes_total',
    'Outcomes of settlement calls by provider; an unknown one may be followed by another.',
    'provider',
    'outcome',
  );
  const recoveries = counter(
    'pay_recovered_total',
    'Payments that recovery or reconciliation moved on, by provider and state reached.',
    'provider',
    'state',
  );
  const settleSeconds = histogram(
    'pay_settle_seconds',
    'Time from a claim to its outcome.',
    settleBuckets,
    'provider',
  );
  const waitSeconds = histogram(
    'pay_wait_seconds',
    'Time a request waited for its settlement.',
    settleBuckets,
    'rail',
  );
  const charges = counter(
    'charges_total',
    'Receipts by rail and state they reached, and debits of grants by theirs.',
    'rail',
    'state',
  );
  const commitSeconds = histogram(
    'ledger_commit_seconds',
    'Time of one commit of the ledger.',
    commitBuckets,
  );
  const batchOperations = histogram('ledger_batch_ops', 'Operations of one commit.', batchBuckets);
  return {
    claim: (provider, result) => claims.inc({ provider, result }),
    outcome: (provider, outcome) => outcomes.inc({ provider, outcome }),
    recovered: (provider, state) => recoveries.inc({ provider, state }),
    settled: (provider, seconds) => settleSeconds.observe({ provider }, seconds),
    waited: (rail, seconds) => waitSeconds.observe({ rail }, seconds),
    charge: (rail, state) => charges.inc({ rail, state }),
    commit: ({ operations, commitMs }) => {
      // the writer's own look-ups commit nothing
      if (operations === 0) return;
      commitSeconds.observe(commitMs / 1000);
      batchOperations.observe(operations);
    },
  };
}

/** The rails, timing how long a request waits for its settlement (`pay_wait_seconds`, P2.38). */
export function watchRails(
  rails: readonly Rail[],
  { metrics, monotonicMs }: { metrics: PaymentMetrics; monotonicMs(): number },
): readonly Rail[] {
  function settling(rail: Rail['name'], claimed: Claimed): Claimed {
    return {
      ...claimed,
      async settle() {
        const sinceMs = monotonicMs();
        try {
          return await claimed.settle();
        } finally {
          metrics.waited(rail, (monotonicMs() - sinceMs) / 1000);
        }
      },
    };
  }

  function claiming(rail: Rail['name'], payable: Payable): Payable {
    return {
      ...payable,
      async claim() {
        const claimed = await payable.claim();
        return claimed.kind === 'claimed' ? settling(rail, claimed) : claimed;
      },
    };
  }

  return rails.map((rail) => ({
    ...rail,
    async check(request) {
      const checked = await rail.check(request);
      return checked.kind === 'payable' ? claiming(rail.name, checked) : checked;
    },
  }));
}
