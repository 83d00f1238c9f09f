import type { Config } from '../../config/config.ts';
import type { ServeDeps } from '../../handle.ts';
import type { Ledger, LedgerTime } from '../../ledger/port/ledger.ts';
import type { ComposedPayments } from '../../payments/composePayments.ts';
import { readMetricsFile, settlerMetricsPath } from '../metrics/metricsFile.ts';
import type { ServerMetrics } from '../metrics/serverMetrics.ts';
import { adminAnswerer } from './adminAnswer.ts';
import { collectView } from './collectView.ts';
import { keptView } from './keptView.ts';
import { type AdminListener, listenAdmin } from './listenAdmin.ts';

/**
 * Opens the admin listener of a running server: metrics and the operations page (P0.6).
 *
 * @throws IssuerError `configuration` when `II_ADMIN_LISTEN` cannot be bound.
 */
export function startOperations({
  config,
  deps,
  ledger,
  payments,
  metrics,
  time,
  monotonicMs,
  reportDefect,
}: {
  config: Config;
  deps: Pick<ServeDeps, 'store' | 'free'>;
  ledger: Ledger;
  payments: Pick<ComposedPayments, 'breakers' | 'signatures'>;
  metrics: ServerMetrics;
  time: LedgerTime;
  /** A clock that does not step. */
  monotonicMs(): number;
  reportDefect(error: unknown): void;
}): Promise<AdminListener> {
  const view = keptView({
    monotonicMs,
    make: () =>
      collectView({
        store: deps.store,
        ready: deps.free.ready,
        ledger,
        ledgerAddress: config.ledger,
        breakers: payments.breakers,
        signatures: payments.signatures,
        nowMs: () => time.nowMs(),
      }),
  });
  return listenAdmin({
    ...config.adminListen,
    answer: adminAnswerer({
      // a view that waited for a store is shown for minutes, and would go on saying that it was there
      view: async () => ({ ...(await view()), remote: deps.store.remote() }),
      metrics,
      // the clock of the file system, not of the ledger
      settlerText: () => readMetricsFile({ path: settlerMetricsPath(config.dataRoot), nowMs: Date.now() }),
    }),
    reportDefect,
  });
}
