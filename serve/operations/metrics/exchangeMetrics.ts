import { Counter, Histogram, type Registry } from 'prom-client';
import type { ExchangeEvent } from '../../listen.ts';

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
export type ExchangeOutcome = (typeof exchangeOutcomes)[number];

/**
 * Counts finished exchanges by route and outcome, and times them. A route is an id of the contract or `none`, so
 * the number of series is bounded; a counter of a pair is made once and then only raised.
 */
export function exchangeMetrics(registry: Registry): (event: ExchangeEvent) => void {
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
