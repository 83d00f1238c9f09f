import { Counter, Gauge, type Registry } from 'prom-client';
import type { Ready } from '../../../data/contract/emit/operations.ts';
import type { OperatorView, Part } from '../admin/operatorView.ts';

const breakerNumbers = { closed: 0, half_open: 1, open: 2 } as const;

/**
 * Gauges of the operator's view (P9.14). What could not be read has no sample: a value of yesterday would look like
 * one of today.
 */
export function stateMetrics(registry: Registry): (view: OperatorView) => void {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] });

  const ready = gauge('service_ready', '1 when paid calls can be served.');
  const check = gauge('service_check', '1 ok, 0 failing, by check of /ready.', 'check');
  const skewed = gauge('service_clock_skew', '1 while this clock is over five seconds from a provider.');
  const releaseAge = gauge('release_age_seconds', 'Age of the current release.');
  const dates = gauge('release_dates', 'Source dates with a promoted release.');
  const runAge = gauge('last_run_age_seconds', 'Time since the last night ended.');
  const runOk = gauge('last_run_ok', '1 when the last night ended well.');
  const runDegraded = gauge(
    'last_run_degraded',
    'Findings of a last night that published with less than it should.',
  );
  const audit = gauge('audit_ok', '1 when the newest audit is healthy and fresh.');
  const auditAge = gauge('audit_age_seconds', 'Age of the newest audit.');
  const ledgerOk = gauge('ledger_ok', '1 when the ledger can write.');
  const queue = gauge('ledger_queue', 'Operations handed to the ledger and not yet durable.');
  const slow = gauge('ledger_slow', '1 when an operation waited longer than two seconds.');
  const freeBytes = gauge('ledger_disk_free_bytes', 'Free space beside the embedded ledger.');
  const readAge = gauge('readings_age_seconds', 'Age of what is said of releases, audit and ledger figures.');
  const readable = gauge('ledger_figures_ok', '1 when the figures of the ledger could be read.');
  const receipts = gauge(
    'ledger_receipts',
    'Receipts by rail, state and window of creation.',
    'rail',
    'state',
    'window',
  );
  const charged = gauge(
    'ledger_charged_micro_usd',
    'Charged amount by rail, state and window of creation.',
    'rail',
    'state',
    'window',
  );
  const unresolved = gauge('pay_unresolved', 'Payments without an outcome.');
  const undelivered = gauge('pay_undelivered_settled', 'Charged within seven days, answer never delivered.');
  const unresolvedAge = gauge(
    'pay_unresolved_age_seconds',
    'Age of the oldest payment without an outcome; an hour is too long.',
  );
  const undeliveredMicro = gauge('pay_undelivered_micro_usd', 'What was charged for undelivered answers.');
  const overdue = gauge('pay_undelivered_overdue', 'Of these, charged a day ago or longer.');
  const queued = gauge('pay_queued_for_batch', 'Batched transfers that are not complete.');
  const queuedMicro = gauge('pay_queued_micro_usd', 'What the gateway still owes for them.');
  const breaker = gauge('pay_breaker_state', '0 closed, 1 half open, 2 open.', 'provider');
  const terms = gauge(
    'pay_provider_terms',
    '1 while a provider says that it settles what is offered, 0 while it refuses or does not answer.',
    'provider',
  );
  const backend = gauge('sig_backend', '1 for the signature backend in use.', 'backend');
  const jobs = gauge('settler_jobs', 'Settlement jobs that have not ended, and dead ones.', 'state');
  const jobAge = gauge('settler_queue_age_seconds', 'Age of the oldest job that has not ended.');
  const budgets = gauge('grants_ending', 'Grants about to run out; the count stops at twenty.');

  const storeAway = gauge('store_away', '1 while the object store does not answer.');
  const storeBehind = gauge('store_release_behind', '1 while a promoted release is not taken up.');
  const storeUnkept = gauge('store_replica_unkept', '1 while the local replica keeps nothing more.');
  const replicaBytes = gauge('store_replica_bytes', 'Disk that the local replica takes.');
  const storeReads = new Counter({
    name: 'store_reads_total',
    help: 'Reads of the object store: given by the local replica (kept), fetched, failed.',
    labelNames: ['outcome'],
    registers: [registry],
  });

  type Plain = Gauge<never>;
  function set(plain: Plain, value: number | null | undefined): void {
    // an unlabelled gauge starts with 0, which is no measurement
    if (value === null || value === undefined || !Number.isFinite(value)) plain.remove();
    else plain.set(value);
  }

  function setFigures(part: OperatorView['figures'], readMs: number): void {
    for (const labelled of [receipts, charged, jobs]) labelled.reset();
    set(readable, part.ok ? 1 : 0);
    const figures = readValue(part);
    set(unresolved, figures?.unresolved);
    const opened = figures?.openPayments.map(({ createdMs }) => createdMs) ?? [];
    set(unresolvedAge, figures === null ? null : secondsSince(Math.min(readMs, ...opened), readMs));
    set(undelivered, figures?.undelivered.count);
    set(undeliveredMicro, figures?.undelivered.micro);
    set(overdue, figures?.undelivered.overdue);
    set(queued, figures?.queued.count);
    set(queuedMicro, figures?.queued.micro);
    set(budgets, figures?.endingBudgets.length);
    set(jobAge, figures === null ? null : secondsSince(figures.oldestJobMs ?? readMs, readMs));
    for (const { mode: rail, status: state, ...row } of figures?.receipts ?? []) {
      receipts.set({ rail, state, window: 'today' }, row.today);
      receipts.set({ rail, state, window: '7d' }, row.week);
      charged.set({ rail, state, window: 'today' }, row.todayMicro);
      charged.set({ rail, state, window: '7d' }, row.weekMicro);
    }
    for (const { state, count } of figures?.jobs ?? []) jobs.set({ state }, count);
  }

  function setRemote(remote: OperatorView['remote']): void {
    set(storeAway, remote === null ? null : Number(remote.away !== null));
    set(storeBehind, remote === null ? null : Number(remote.behind !== null));
    set(storeUnkept, remote === null ? null : Number(remote.unkept !== null));
    set(replicaBytes, remote?.replicaBytes);
    storeReads.reset();
    for (const [outcome, count] of Object.entries(remote?.reads ?? {})) storeReads.inc({ outcome }, count);
  }

  return (view) => {
    const { atMs } = view;
    const state = readValue(view.ready);
    set(ready, state === null ? null : Number(state.ready));
    set(skewed, state === null ? null : Number(clockSkewed(state.checks)));
    check.reset();
    for (const [name, { status }] of Object.entries(state?.checks ?? {}))
      if (status !== 'disabled') check.set({ check: name }, Number(status === 'ok'));
    const releases = readValue(view.releases);
    set(releaseAge, releases?.current ? secondsSince(Date.parse(releases.current.generatedAt), atMs) : null);
    set(dates, releases?.dates);
    const run = readValue(view.lastRun);
    set(runAge, run?.finished_at_utc ? secondsSince(Date.parse(run.finished_at_utc), atMs) : null);
    set(runOk, run === null ? null : Number(run.status === 'ok'));
    set(runDegraded, run?.degraded.length);
    const audited = readValue(view.audit);
    set(audit, audited === null ? null : Number(audited.ok));
    set(auditAge, audited?.age_hours === undefined ? null : audited.age_hours * 3600);
    const health = readValue(view.health);
    set(ledgerOk, Number(health?.status === 'ok'));
    set(queue, health?.waiting);
    set(slow, health === null ? null : Number(health.slow));
    set(freeBytes, view.ledger.freeBytes);
    set(readAge, secondsSince(view.readMs, atMs));
    setFigures(view.figures, view.readMs);
    setRemote(view.remote);
    breaker.reset();
    for (const one of view.breakers) breaker.set({ provider: one.provider }, breakerNumbers[one.state]);
    terms.reset();
    for (const one of view.breakers) {
      const { state: said } = one.terms;
      if (said !== 'unasked' && said !== 'unsaid')
        terms.set({ provider: one.provider }, Number(said === 'agreed'));
    }
    backend.reset();
    if (view.signatures !== null) backend.set({ backend: view.signatures }, 1);
  };
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
