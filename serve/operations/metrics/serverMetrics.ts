import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { WebhookOutcome } from '../../checkout/takeWebhook.ts';
import type { InFlight } from '../../http/inFlight.ts';
import type { ExchangeEvent } from '../../listen.ts';
import type { OperatorView } from '../admin/operatorView.ts';
import { type PaymentMetrics, paymentMetrics } from './paymentMetrics.ts';
import { stateMetrics } from './stateMetrics.ts';

/** Everything one server process counts. No label carries an address, a hash, a key or a ticker (P9.14). */
export type ServerMetrics = {
  /** Called with every finished exchange. */
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

/** Registers what the bound on requests in flight shows; it is read when the metrics are. */
function inFlightMetrics(registry: Registry): (inFlight: InFlight) => void {
  return (inFlight) => {
    new Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests that were begun and have not ended.',
      registers: [registry],
      collect() {
        this.set(inFlight.readings().open);
      },
    });
    new Gauge({
      name: 'http_requests_in_flight_limit',
      help: 'Most of them: of all clients, and of one address.',
      labelNames: ['of'],
      registers: [registry],
      collect() {
        for (const [of, most] of Object.entries(inFlight.readings().limits)) this.set({ of }, most);
      },
    });
    new Counter({
      name: 'http_requests_in_flight_refused_total',
      help: 'Requests answered 503 because as many as a limit allows were in flight.',
      labelNames: ['of'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [of, count] of Object.entries(inFlight.readings().refused)) this.inc({ of }, count);
      },
    });
  };
}

/** The alerts by name; every label is a constant of the code. */
type AlertMetrics = {
  /** A warning or an error of the log, by its name. */
  alert(event: string): void;
  /** A connection was closed unread because as many as the process can hold were open. */
  droppedConnection(): void;
  /** What became of a notification of the card provider (P5.7, P5.8). */
  webhook(outcome: WebhookOutcome): void;
};

/** Registers the counters. */
function alertMetrics(registry: Registry): AlertMetrics {
  const registers = [registry];
  const alerts = new Counter({
    name: 'alerts_total',
    help: 'Warnings and errors in the log, by event: clock_skew, provider_lied, payment_unresolved and others.',
    labelNames: ['event'],
    registers,
  });
  const webhooks = new Counter({
    name: 'checkout_webhooks_total',
    help: 'Notifications of the card provider by what became of them; refused ones by reason.',
    labelNames: ['outcome'],
    registers,
  });
  const dropped = new Counter({
    name: 'http_dropped_connections_total',
    help: 'Connections closed unread because as many as the process can hold were open.',
    registers,
  });
  return {
    alert: (event) => alerts.inc({ event }),
    droppedConnection: () => dropped.inc(),
    webhook: (outcome) => webhooks.inc({ outcome }),
  };
}

/** How a request ended, for the service's monitoring. */
export const exchangeOutcomes = [
  'served',
  'not_modified',
  'challenged',
  'payment_refused',
  'limited',
  'refused',
  'failed',
] as const;
type ExchangeOutcome = (typeof exchangeOutcomes)[number];

/**
 * Counts finished exchanges by route and outcome, and times them. A route is an id of the contract or `none`, so
 * the number of series is bounded; a counter of a pair is made once and then only raised.
 */
function exchangeMetrics(registry: Registry): (event: ExchangeEvent) => void {
  const registers = [registry];
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by route of the contract and outcome.',
    labelNames: ['route', 'outcome'],
    registers,
  });
  const problems = new Counter({
    name: 'http_problems_total',
    help: 'Answers that were a problem, by its code.',
    labelNames: ['code'],
    registers,
  });
  const lost = new Counter({
    name: 'http_lost_answers_total',
    help: 'Answers whose connection ended too early: partial, or before the first byte.',
    labelNames: ['delivery'],
    registers,
  });
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time from the request line to the end of the answer.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  });
  const counters = new Map<string, Counter.Internal>();
  return ({ outgoing, delivery, latencyMs }) => {
    const { record, status } = outgoing;
    const outcome = exchangeOutcome(status, record.code);
    const key = `${record.route}${outcome}`;
    let counter = counters.get(key);
    if (counter === undefined) {
      counter = requests.labels(record.route ?? 'none', outcome);
      counters.set(key, counter);
    }
    counter.inc();
    // the clock of the log may step backwards
    seconds.observe(Math.max(0, latencyMs) / 1000);
    if (record.code !== null) problems.inc({ code: record.code });
    if (delivery !== 'delivered') lost.inc({ delivery });
  };
}

/** The outcome of a status; the plain challenge is apart from payments that were refused. */
export function exchangeOutcome(status: number, code: string | null): ExchangeOutcome {
  if (status === 304) return 'not_modified';
  if (status < 400) return 'served';
  if (status >= 500) return 'failed';
  if (status === 402) return code === 'payment_required' || code === null ? 'challenged' : 'payment_refused';
  return status === 429 ? 'limited' : 'refused';
}
