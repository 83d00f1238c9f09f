import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Ready } from '../../../data/contract/emit/operations.ts';
import type { WebhookOutcome } from '../../checkout/takeWebhook.ts';
import type { InFlight } from '../../http/inFlight.ts';
import type { ExchangeEvent } from '../../listen.ts';
import type { OperatorView, Part } from '../admin/operatorView.ts';
import { instruments, type PaymentMetrics, paymentMetrics } from './paymentMetrics.ts';

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
  const { counter } = instruments(registry);
  const alerts = counter(
    'alerts_total',
    'Warnings and errors in the log, by event: clock_skew, provider_lied, payment_unresolved and others.',
    'event',
  );
  const webhooks = counter(
    'checkout_webhooks_total',
    'Notifications of the card provider by what became of them; refused ones by reason.',
    'outcome',
  );
  const dropped = counter(
    'http_dropped_connections_total',
    'Connections closed unread because as many as the process can hold were open.',
  );
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
  const { counter, histogram } = instruments(registry);
  const requests = counter(
    'http_requests_total',
    'Requests by route of the contract and outcome.',
    'route',
    'outcome',
  );
  const problems = counter('http_problems_total', 'Answers that were a problem, by its code.', 'code');
  const lost = counter(
    'http_lost_answers_total',
    'Answers whose connection ended too early: partial, or before the first byte.',
    'delivery',
  );
  const seconds = histogram(
    'http_request_seconds',
    'Time from the request line to the end of the answer.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
  );
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

const breakerNumbers = { closed: 0, half_open: 1, open: 2 } as const;

/**
 * Gauges of the operator's view (P9.14). What could not be read has no sample: a value of yesterday would look like
 * one of today.
 */
export function stateMetrics(registry: Registry): (view: OperatorView) => void {
  const gauges = stateGauges(registry);
  return (view) => setState(gauges, view);
}

function stateGauges(registry: Registry) {
  const { counter, gauge } = instruments(registry);
  return {
    ready: gauge('service_ready', '1 when paid calls can be served.'),
    check: gauge('service_check', '1 ok, 0 failing, by check of /ready.', 'check'),
    skewed: gauge('service_clock_skew', '1 while this clock is over five seconds from a provider.'),
    releaseAge: gauge('release_age_seconds', 'Age of the current release.'),
    dates: gauge('release_dates', 'Source dates with a promoted release.'),
    runAge: gauge('last_run_age_seconds', 'Time since the last night ended.'),
    runOk: gauge('last_run_ok', '1 when the last night ended well.'),
    runDegraded: gauge(
      'last_run_degraded',
      'Findings of a last night that published with less than it should.',
    ),
    audit: gauge('audit_ok', '1 when the newest audit is healthy and fresh.'),
    auditAge: gauge('audit_age_seconds', 'Age of the newest audit.'),
    ledgerOk: gauge('ledger_ok', '1 when the ledger can write.'),
    queue: gauge('ledger_queue', 'Operations handed to the ledger and not yet durable.'),
    slow: gauge('ledger_slow', '1 when an operation waited longer than two seconds.'),
    freeBytes: gauge('ledger_disk_free_bytes', 'Free space beside the embedded ledger.'),
    readAge: gauge('readings_age_seconds', 'Age of what is said of releases, audit and ledger figures.'),
    readable: gauge('ledger_figures_ok', '1 when the figures of the ledger could be read.'),
    receipts: gauge(
      'ledger_receipts',
      'Receipts by rail, state and window of creation.',
      'rail',
      'state',
      'window',
    ),
    charged: gauge(
      'ledger_charged_micro_usd',
      'Charged amount by rail, state and window of creation.',
      'rail',
      'state',
      'window',
    ),
    unresolved: gauge('pay_unresolved', 'Payments without an outcome.'),
    undelivered: gauge('pay_undelivered_settled', 'Charged within seven days, answer never delivered.'),
    unresolvedAge: gauge(
      'pay_unresolved_age_seconds',
      'Age of the oldest payment without an outcome; an hour is too long.',
    ),
    undeliveredMicro: gauge('pay_undelivered_micro_usd', 'What was charged for undelivered answers.'),
    overdue: gauge('pay_undelivered_overdue', 'Of these, charged a day ago or longer.'),
    queued: gauge('pay_queued_for_batch', 'Batched transfers that are not complete.'),
    queuedMicro: gauge('pay_queued_micro_usd', 'What the gateway still owes for them.'),
    breaker: gauge('pay_breaker_state', '0 closed, 1 half open, 2 open.', 'provider'),
    terms: gauge(
      'pay_provider_terms',
      '1 while a provider says that it settles what is offered, 0 while it refuses or does not answer.',
      'provider',
    ),
    backend: gauge('sig_backend', '1 for the signature backend in use.', 'backend'),
    jobs: gauge('settler_jobs', 'Settlement jobs that have not ended, and dead ones.', 'state'),
    jobAge: gauge('settler_queue_age_seconds', 'Age of the oldest job that has not ended.'),
    budgets: gauge('grants_ending', 'Grants about to run out; the count stops at twenty.'),

    storeAway: gauge('store_away', '1 while the object store does not answer.'),
    storeBehind: gauge('store_release_behind', '1 while a promoted release is not taken up.'),
    storeUnkept: gauge('store_replica_unkept', '1 while the local replica keeps nothing more.'),
    replicaBytes: gauge('store_replica_bytes', 'Disk that the local replica takes.'),
    storeReads: counter(
      'store_reads_total',
      'Reads of the object store: given by the local replica (kept), fetched, failed.',
      'outcome',
    ),
  };
}

type StateGauges = ReturnType<typeof stateGauges>;

function set(plain: Gauge<never>, value: number | null | undefined): void {
  // an unlabelled gauge starts with 0, which is no measurement
  if (value === null || value === undefined || !Number.isFinite(value)) plain.remove();
  else plain.set(value);
}

function setFigures(gauges: StateGauges, part: OperatorView['figures'], readMs: number): void {
  for (const labelled of [gauges.receipts, gauges.charged, gauges.jobs]) labelled.reset();
  set(gauges.readable, part.ok ? 1 : 0);
  const figures = readValue(part);
  set(gauges.unresolved, figures?.unresolved);
  const opened = figures?.openPayments.map(({ createdMs }) => createdMs) ?? [];
  set(gauges.unresolvedAge, figures === null ? null : secondsSince(Math.min(readMs, ...opened), readMs));
  set(gauges.undelivered, figures?.undelivered.count);
  set(gauges.undeliveredMicro, figures?.undelivered.micro);
  set(gauges.overdue, figures?.undelivered.overdue);
  set(gauges.queued, figures?.queued.count);
  set(gauges.queuedMicro, figures?.queued.micro);
  set(gauges.budgets, figures?.endingBudgets.length);
  set(gauges.jobAge, figures === null ? null : secondsSince(figures.oldestJobMs ?? readMs, readMs));
  for (const { mode: rail, status: state, ...row } of figures?.receipts ?? []) {
    gauges.receipts.set({ rail, state, window: 'today' }, row.today);
    gauges.receipts.set({ rail, state, window: '7d' }, row.week);
    gauges.charged.set({ rail, state, window: 'today' }, row.todayMicro);
    gauges.charged.set({ rail, state, window: '7d' }, row.weekMicro);
  }
  for (const { state, count } of figures?.jobs ?? []) gauges.jobs.set({ state }, count);
}

function setRemote(gauges: StateGauges, remote: OperatorView['remote']): void {
  set(gauges.storeAway, remote === null ? null : Number(remote.away !== null));
  set(gauges.storeBehind, remote === null ? null : Number(remote.behind !== null));
  set(gauges.storeUnkept, remote === null ? null : Number(remote.unkept !== null));
  set(gauges.replicaBytes, remote?.replicaBytes);
  gauges.storeReads.reset();
  for (const [outcome, count] of Object.entries(remote?.reads ?? {}))
    gauges.storeReads.inc({ outcome }, count);
}

/** Sets every gauge from one view. */
function setState(gauges: StateGauges, view: OperatorView): void {
  const { atMs } = view;
  const state = readValue(view.ready);
  set(gauges.ready, state === null ? null : Number(state.ready));
  set(gauges.skewed, state === null ? null : Number(clockSkewed(state.checks)));
  gauges.check.reset();
  for (const [name, { status }] of Object.entries(state?.checks ?? {}))
    if (status !== 'disabled') gauges.check.set({ check: name }, Number(status === 'ok'));
  const releases = readValue(view.releases);
  set(
    gauges.releaseAge,
    releases?.current ? secondsSince(Date.parse(releases.current.generatedAt), atMs) : null,
  );
  set(gauges.dates, releases?.dates);
  const run = readValue(view.lastRun);
  set(gauges.runAge, run?.finished_at_utc ? secondsSince(Date.parse(run.finished_at_utc), atMs) : null);
  set(gauges.runOk, run === null ? null : Number(run.status === 'ok'));
  set(gauges.runDegraded, run?.degraded.length);
  const audited = readValue(view.audit);
  set(gauges.audit, audited === null ? null : Number(audited.ok));
  set(gauges.auditAge, audited?.age_hours === undefined ? null : audited.age_hours * 3600);
  const health = readValue(view.health);
  set(gauges.ledgerOk, Number(health?.status === 'ok'));
  set(gauges.queue, health?.waiting);
  set(gauges.slow, health === null ? null : Number(health.slow));
  set(gauges.freeBytes, view.ledger.freeBytes);
  set(gauges.readAge, secondsSince(view.readMs, atMs));
  setFigures(gauges, view.figures, view.readMs);
  setRemote(gauges, view.remote);
  gauges.breaker.reset();
  for (const one of view.breakers) gauges.breaker.set({ provider: one.provider }, breakerNumbers[one.state]);
  gauges.terms.reset();
  for (const one of view.breakers) {
    const { state: said } = one.terms;
    if (said !== 'unasked' && said !== 'unsaid')
      gauges.terms.set({ provider: one.provider }, Number(said === 'agreed'));
  }
  gauges.backend.reset();
  if (view.signatures !== null) gauges.backend.set({ backend: view.signatures }, 1);
}

function readValue<T>(part: Part<T>): T | null {
  return part.ok ? part.value : null;
}

/** Readiness reports clock skew in the detail of a rail (X52). */
function clockSkewed(checks: Ready['checks']): boolean {
  return Object.values(checks).some(({ detail }) => detail?.startsWith('clock_skew') === true);
}

function secondsSince(thenMs: number, nowMs: number): number {
  return Math.max(0, nowMs - thenMs) / 1000;
}
