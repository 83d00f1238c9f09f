import type { LedgerFigures } from '../../ledger/port/day.ts';
import type { LedgerFailure } from '../../ledger/port/ledger.ts';
import { remoteSentences } from '../../store/remoteHealth.ts';
import type { OperatorView } from '../admin/operatorView.ts';
import { shownCount, shownDuration, shownMany, shownUsd } from './figures.ts';

/** A condition that needs the operator, and the next step. */
export type Concern = {
  readonly weight: 'bad' | 'warn';
  readonly what: string;
  readonly next: string;
  /** What to type, where there is something. */
  readonly command: string | null;
};

/** A payment without an outcome for this long is not on its way any more (P8.42). */
const stuckMs = 3_600_000;
/** A job is taken within a quarter of a second where a settlement process runs (P9.11). */
const idleJobMs = 60_000;

/** Alerts, the most urgent first: what refuses buyers, then what sells them old figures, then money, then what can wait. */
export function concernsOf(view: OperatorView): readonly Concern[] {
  const found = [...refusing(view), ...oldSlice(view), ...openMoney(view), ...canWait(view)];
  return [
    ...found.filter(({ weight }) => weight === 'bad'),
    ...found.filter(({ weight }) => weight === 'warn'),
  ];
}

function refusing({ ready, releases, breakers, health, remote }: OperatorView): Concern[] {
  if (!ready.ok) {
    const next = 'Look into the log of the server for "defect".';
    return [bad('Readiness cannot be told', next, 'issuer-serve check-config')];
  }
  const { checks } = ready.value;
  const failing = (name: keyof typeof checks): boolean => checks[name].status === 'failing';
  const skew = Object.values(checks).find(({ detail }) => detail?.startsWith('clock_skew'))?.detail;
  const unserved = failing('artifact_store') || failing('manifest') || failing('slice');
  const empty = releases.ok && releases.value.dates === 0;
  return holding(
    unserved && (empty ? nothingPromoted() : releaseConcern()),
    ...remoteConcerns(remote),
    checks.artifact_store.status === 'degraded' &&
      remoteSentences(remote).length === 0 &&
      artifactConcern(checks.artifact_store.detail),
    failing('ledger') && ledgerConcern(health.ok ? health.value.reason : null),
    ...breakers
      .filter(({ state }) => state === 'open')
      .map(({ provider }) =>
        bad(
          `${provider} does not answer: its new payments are 503, nothing is charged`,
          'It is tried again every ten seconds. Look at the provider, the node or the settlement process behind it.',
        ),
      ),
    ...breakers
      .filter(({ terms }) => terms.state === 'refused')
      .map(({ provider, terms }) =>
        bad(
          `${provider} refuses our terms: ${terms.detail}; its new payments are 503`,
          'Give a provider of the configured network, or the network and token of the provider. It is asked again within a minute.',
          'issuer-serve check-config',
        ),
      ),
    typeof skew === 'string' &&
      bad(skew, 'Set the clock of this machine; payments near their end are refused until then.'),
  );
}

function remoteConcerns(remote: OperatorView['remote']): Concern[] {
  if (remote === null) return [];
  const { away, behind, unkept } = remote;
  return holding(
    away !== null &&
      bad(
        `The object store does not answer (${away.why}): what is kept here is served, the rest is 503 and not charged`,
        'It is asked again every few seconds. Look at the store, the network and the credentials.',
        'issuer-serve check-config',
      ),
    behind !== null &&
      bad(
        `A promoted release is not taken up, the one before it is served: ${behind}`,
        'It is tried again every few seconds. Verify the release in the store, or publish it anew.',
        'issuer release verify',
      ),
    unkept !== null &&
      warn(
        `The local replica keeps nothing more: ${unkept}`,
        'Answers go on, each cold object is fetched. Free space, or lower II_STORE_CACHE_BYTES.',
      ),
  );
}

function nothingPromoted(): Concern {
  const next = 'Run a night; the server takes its release up by itself.';
  return bad('Nothing is promoted yet: paid calls are 503', next, 'issuer nightly');
}

function releaseConcern(): Concern {
  return bad(
    'The current release cannot be served: paid calls are 503',
    'Verify it, then go back to the release before it or run the night again.',
    'issuer release verify',
  );
}

function artifactConcern(detail: string | null): Concern {
  return bad(
    `Part of the current release is damaged; calls for it are 503, nothing is charged: ${detail ?? ''}`,
    'Verify names every damaged file; the next night publishes the slice anew.',
    'issuer release verify; issuer nightly',
  );
}

const ledgerSteps: Readonly<Record<LedgerFailure, readonly [next: string, command: string | null]>> = {
  not_open: ['The server is starting or stopping; see its log.', null],
  disk_full: [
    'Free space on the disk of the ledger. Running payments are still written from the reserve.',
    null,
  ],
  disk_low: [
    'Free space on the disk of the ledger: at least 256 MiB. Running payments are still written.',
    null,
  ],
  file_busy: ['Another program holds the file locked; find it and let it end.', null],
  writer_restarting: ['It comes back within seconds; a second time within a minute ends the server.', null],
  writer_dead: [
    'Start the server again; what was acknowledged is in the ledger.',
    'issuer-serve ledger check',
  ],
  unreachable: ['Bring the database back; the server connects again by itself.', null],
  restored_copy: [
    'It may have forgotten payments. Compare it with the chain; then it takes payments again.',
    'issuer-serve ledger check --chain',
  ],
};

function ledgerConcern(reason: LedgerFailure | null): Concern {
  const [next, command] = reason === null ? ['See the log of the server.', null] : ledgerSteps[reason];
  const calls = reason === 'restored_copy' ? 'payments and grants are' : 'paid calls are';
  return bad(`The ledger is failing (${reason ?? 'unknown'}): ${calls} 503`, next, command);
}

/** An old slice is sold all the same, with `stale_slice` as the reason of `/v1/readiness` (I4.R01.3). */
function oldSlice({ freshness }: OperatorView): Concern[] {
  if (!freshness.ok || freshness.value === null || !freshness.value.stale) return [];
  const { ageMs, windowMs } = freshness.value;
  return [
    bad(
      `The slice that is sold is ${shownDuration(ageMs)} old; /v1/readiness calls it stale after ${shownDuration(windowMs)}`,
      'Night and audit says how the last night ended. Where none ran, look whether its timer runs; then run the night.',
      "systemctl list-timers 'issuer-*'; issuer nightly",
    ),
  ];
}

function openMoney({ figures, readMs }: OperatorView): Concern[] {
  if (!figures.ok) return [];
  return [...unsettledConcerns(figures.value, readMs), ...undeliveredConcerns(figures.value)];
}

/** What of the payments on their way is not on its way any more. */
export function unsettledConcerns(figures: LedgerFigures, atMs: number): Concern[] {
  const { openPayments, unresolved, jobs, oldestJobMs } = figures;
  const stuck = openPayments.filter(({ createdMs }) => atMs - createdMs >= stuckMs);
  const [oldest] = stuck;
  const dead = jobs.find(({ state }) => state === 'dead')?.count ?? 0;
  const idle = oldestJobMs === null ? 0 : atMs - oldestJobMs;
  return holding(
    oldest !== undefined &&
      bad(
        `${shownCount(stuck.length)} of ${shownMany(unresolved, 'open payment')} without an outcome for over an hour`,
        'Nobody knows yet whether they were charged; do not refund. Ask chain and gateway once more, then read the oldest.',
        `issuer-serve ledger recover; issuer-serve ledger show ${oldest.receiptId}`,
      ),
    idle >= idleJobMs &&
      bad(
        `The oldest settlement job waits for ${shownDuration(idle)}`,
        'The settlement process does not run, has no gas, or its node is away; see its log. Unsent payments expire uncharged.',
        'issuer-serve settle',
      ),
    dead > 0 &&
      warn(
        `${shownMany(dead, 'settlement job')} died`,
        'Their payments are resolved by the chain.',
        'issuer-serve ledger recover',
      ),
  );
}

/** What was charged in the last seven days and never arrived (P8.41). */
export function undeliveredConcerns({ undelivered }: LedgerFigures): Concern[] {
  if (undelivered.count === 0) return [];
  return [
    warn(
      `${shownMany(undelivered.count, 'answer')} charged and never delivered, ${shownUsd(undelivered.micro)}; ${shownCount(undelivered.overdue)} for over a day`,
      'Their buyers get them by sending the same payment again, for seven days. Refunding is your decision; the report names those of over a day.',
      'issuer-serve ledger report; issuer-serve ledger refund <receipt> --reference <yours> --as <you>',
    ),
  ];
}

function canWait({ lastRun, audit, health, figures, breakers }: OperatorView): Concern[] {
  const run = lastRun.ok ? lastRun.value : null;
  const audited = audit.ok ? audit.value : null;
  const ending = figures.ok ? figures.value.endingBudgets.length : 0;
  return holding(
    health.ok &&
      health.value.slow &&
      warn('The ledger is slow: a write waited over two seconds', 'Look at the disk or the database server.'),
    ...breakers
      .filter(({ terms, state }) => terms.state === 'away' && state !== 'open')
      .map(({ provider, terms }) =>
        warn(
          `${provider}: ${terms.detail}, so its payments are 503 until it does`,
          'It is asked again within a minute. Look at the provider or the node behind it.',
        ),
      ),
    !figures.ok &&
      warn('The figures of the ledger cannot be read', 'Payments may still work; see Ledger below.'),
    run !== null &&
      run.status === 'failed' &&
      warn(
        `The night of ${run.source_date} failed; the release before it is served`,
        'Read the reason below, then run it again: it resumes.',
        'issuer nightly',
      ),
    run !== null &&
      run.degraded.length > 0 &&
      warn(
        `The night of ${run.source_date} published with less than it should: ${run.degraded[0]}`,
        'Every finding is under Night and audit. Put back what is missing, then run the night again.',
        'issuer nightly',
      ),
    audited !== null &&
      !audited.ok &&
      warn('The newest audit is not healthy', 'It names each failed check.', 'issuer-serve audit'),
    ending > 0 &&
      warn(
        ending === 20 ? 'Twenty or more budgets run out' : `${shownMany(ending, 'budget')} about to run out`,
        'Tell their holders, extend them or add to them.',
        'issuer-serve grants topup <grant> --usd <amount> --as <you>',
      ),
  );
}

/** The concerns whose conditions hold. */
export function holding(...asked: readonly (Concern | false)[]): Concern[] {
  return asked.filter((one) => one !== false);
}

export function bad(what: string, next: string, command: string | null = null): Concern {
  return { weight: 'bad', what, next, command };
}

function warn(what: string, next: string, command: string | null = null): Concern {
  return { weight: 'warn', what, next, command };
}
