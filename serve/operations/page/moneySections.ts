import { type Html, html } from '../../../calculators/visual/page/html.ts';
import type { OperatorView } from '../admin/operatorView.ts';
import { shownBytes, shownCount, shownDuration, shownInstant, shownUsd } from './figures.ts';
import { facts, long, notThere, section, state, table } from './table.ts';

/** Receipts by rail and state, today and within seven days. */
export function receiptsSection({ figures }: OperatorView): Html {
  if (!figures.ok) return section('receipts', 'Receipts', notThere(figures.why));
  const amount = (count: number, micro: number): string =>
    micro === 0 ? shownCount(count) : `${shownCount(count)} · ${shownUsd(micro)}`;
  const rows = figures.value.receipts.map(
    (row) =>
      [row.mode, row.status, amount(row.today, row.todayMicro), amount(row.week, row.weekMicro)] as const,
  );
  const columns = ['Rail', 'State', 'Today (UTC)', '7 days'];
  const caption = 'Receipts by the day they were created, with what was charged';
  return section(
    'receipts',
    'Receipts',
    table({ caption, columns, rows, none: 'No receipts in the last seven days.' }),
  );
}

/** Payments without an outcome, and undelivered answers. */
export function paymentsSection({ figures, breakers, readMs, signatures }: OperatorView): Html {
  const rails = table({
    caption: 'Settlement providers as this process sees them',
    columns: ['Provider', 'Breaker', 'Terms'],
    rows: breakers.map(({ provider, state: now, terms }) => [
      provider,
      state(now === 'closed' ? 'good' : now === 'open' ? 'bad' : 'warn', now.replace('_', ' ')),
      shownTerms(terms),
    ]),
    none: 'This process settles nothing.',
  });
  const backend = signatures === null ? null : html`<p>Signatures: ${signatures}</p>`;
  if (!figures.ok) return section('payments', 'Payments', html`${notThere(figures.why)}${rails}${backend}`);
  const { unresolved, undelivered, queued, openPayments, jobs, oldestJobMs } = figures.value;
  const jobCount = jobs.map((job) => `${shownCount(job.count)} ${job.state}`).join(', ');
  const counts = facts([
    ['Unresolved', unresolved === 0 ? '0' : state('warn', shownCount(unresolved))],
    [
      'Charged, not delivered (7 days)',
      undelivered.count === 0
        ? '0'
        : state('warn', `${shownCount(undelivered.count)} · ${shownUsd(undelivered.micro)}`),
    ],
    [
      'Queued for a batch',
      queued.count === 0 ? '0' : `${shownCount(queued.count)} · ${shownUsd(queued.micro)}`,
    ],
    ['Settlement jobs', jobCount === '' ? 'none' : jobCount],
    ['Oldest job', oldestJobMs === null ? 'none' : shownDuration(readMs - oldestJobMs)],
  ]);
  const open = table({
    caption: 'The oldest payments without an outcome',
    columns: ['Receipt, provider, phase', 'Amount', 'Age', 'Last word'],
    rows: openPayments.map((payment) => [
      html`${long(payment.receiptId)}<br>${payment.provider}, ${payment.phase}`,
      shownUsd(payment.amountMicro),
      shownDuration(readMs - payment.createdMs),
      long(payment.refusal ?? '–'),
    ]),
    none: 'Every payment has an outcome.',
  });
  return section('payments', 'Payments', html`${counts}${open}${rails}${backend}`);
}

/** Grants with less than a tenth of their budget, or less than a week. */
export function budgetsSection({ figures, atMs }: OperatorView): Html {
  if (!figures.ok) return section('budgets', 'Budgets running out', notThere(figures.why));
  const rows = figures.value.endingBudgets.map(
    (budget) =>
      [
        html`${long(budget.accountId === null ? budget.grantId : `${budget.grantId} (${budget.accountId})`)}<br>${budget.program}, ${budget.status}`,
        `${shownUsd(budget.remainingMicro)} of ${shownUsd(budget.budgetMicro)}`,
        `${shownInstant(budget.expiresMs)}, in ${shownDuration(budget.expiresMs - atMs)}`,
      ] as const,
  );
  const columns = ['Grant, program', 'Left', 'Ends'];
  const caption = 'Less than a tenth left, or less than seven days; at most twenty';
  return section(
    'budgets',
    'Budgets running out',
    table({ caption, columns, rows, none: 'No budget is running out.' }),
  );
}

/** Whether the ledger can write, what waits for it, and the room it has. */
export function ledgerSection({ health, ledger }: OperatorView): Html {
  const free = ledger.freeBytes === null ? 'of its own server' : `${shownBytes(ledger.freeBytes)} free`;
  const place = [
    ['Where', ledger.address],
    ['Disk', free],
  ] as const;
  if (!health.ok) return section('ledger', 'Ledger', html`${notThere(health.why)}${facts(place)}`);
  const { status, reason, waiting, slow } = health.value;
  const shown =
    status === 'failing'
      ? state('bad', `failing: ${reason}`)
      : slow
        ? state('warn', 'slow')
        : state('good', 'ok');
  return section(
    'ledger',
    'Ledger',
    facts([['State', shown], ['Waiting to be written', shownCount(waiting)], ...place]),
  );
}

/** What a provider says of our terms (P2.53). */
function shownTerms({ state: said, detail }: OperatorView['breakers'][number]['terms']) {
  if (said === 'unasked') return 'not asked yet';
  const weight = said === 'refused' ? 'bad' : said === 'away' ? 'warn' : 'good';
  return state(weight, said === 'agreed' ? 'settles what is offered' : (detail ?? said));
}
