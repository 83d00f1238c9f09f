import { collectDefaultMetrics, Registry } from 'prom-client';
import type { InFlight } from '../../http/inFlight.ts';
import type { ExchangeEvent } from '../../listen.ts';
import type { OperatorView } from '../admin/operatorView.ts';
import { type AlertMetrics, alertMetrics } from './alertMetrics.ts';
import { exchangeMetrics } from './exchangeMetrics.ts';
import { inFlightMetrics } from './inFlightMetrics.ts';
import { type PaymentMetrics, paymentMetrics } from './paymentMetrics.ts';
import { stateMetrics } from './stateMetrics.ts';

/** Everything one server process counts. No label carries an address, a hash, a key or a ticker (P9.14). */
export type ServerMetrics = {
  /** Told of every finished exchange. */
  readonly exchange: (event: ExchangeEvent) => void;
  readonly payments: PaymentMetrics;
  readonly alerts: AlertMetrics;
  /** Shows the requests in flight from now on; called once. */
  readonly watchInFlight: (inFlight: InFlight) => void;
  /** The exposition, with the gauges of this view. */
  text(view: OperatorView): Promise<string>;
  readonly contentType: string;
};

/** Builds the registry; `runtime` adds memory, CPU, garbage collection and event-loop delay of the process. */
export function serverMetrics({ runtime }: { runtime: boolean }): ServerMetrics {
  const registry = new Registry();
  if (runtime) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 });
  const setState = stateMetrics(registry);
  return {
    exchange: exchangeMetrics(registry),
    payments: paymentMetrics(registry),
    alerts: alertMetrics(registry),
    watchInFlight: inFlightMetrics(registry),
    text(view) {
      setState(view);
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}
