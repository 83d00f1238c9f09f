import type { Config } from '../../config/config.ts';
import type { ServeDeps } from '../../handle.ts';
import type { Ledger, LedgerTime } from '../../ledger/port/ledger.ts';
import type { ComposedPayments } from '../../payments/composePayments.ts';
import { readMetricsFile, settlerMetricsPath } from '../metrics/metricsFile.ts';
import type { ServerMetrics } from '../metrics/serverMetrics.ts';
import { adminAnswerer } from './adminAnswer.ts';
import { collectReadings } from './collectReadings.ts';
import { keptView } from './keptView.ts';
import { type AdminListener, listenAdmin } from './listenAdmin.ts';
import { momentView } from './momentView.ts';

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
  const nowMs = () => time.nowMs();
  const readings = keptView({
    monotonicMs,
    make: () => collectReadings({ store: deps.store, ledger, ledgerAddress: config.ledger, nowMs }),
  });
  return listenAdmin({
    ...config.adminListen,
    answer: adminAnswerer({
      view: async () =>
        momentView(await readings(), { store: deps.store, ledger, payments, ready: deps.free.ready, nowMs }),
      metrics,
      // the clock of the file system, not of the ledger
      settlerText: () => readMetricsFile({ path: settlerMetricsPath(config.dataRoot), nowMs: Date.now() }),
    }),
    reportDefect,
  });
}
