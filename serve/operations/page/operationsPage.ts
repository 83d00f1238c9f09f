import { type Html, html } from '../../../calculators/visual/page/html.ts';
import type { WithdrawnSlice } from '../../../data/contract/release/releaseFiles.ts';
import { auditWords } from '../../audit/auditStatusOf.ts';
import type { OperatorView, ReleaseLine } from '../admin/operatorView.ts';
import { shownBytes, shownCount, shownDuration, shownInstant, shownUsd } from './figures.ts';
import { type Concern, concernsOf } from './operatorAlerts.ts';

/** The sections in their order: what the navigation calls them, what is in them, and a heading where it says more. */
const contents: readonly {
  readonly id: string;
  readonly title: string;
  readonly heading?: string;
  content(view: OperatorView, concerns: readonly Concern[]): Html;
}[] = [
  { id: 'attention', title: 'To look at', content: (_, concerns) => attention(concerns) },
  { id: 'readiness', title: 'Readiness', content: readinessSection },
  { id: 'releases', title: 'Releases', content: releasesSection },
  { id: 'night', title: 'Night and audit', content: nightSection },
  { id: 'receipts', title: 'Receipts', content: receiptsSection },
  { id: 'payments', title: 'Payments', content: paymentsSection },
  { id: 'budgets', title: 'Budgets', heading: 'Budgets running out', content: budgetsSection },
  { id: 'ledger', title: 'Ledger', content: ledgerSection },
];

/** The operations page (I5.51): everything is in it, nothing on it acts. */
export function operationsPage(
  view: OperatorView,
  { service, version }: { service: string; version: string },
): string {
  const links = contents.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`);
  const concerns = concernsOf(view);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Operations – ${service}</title>
<link rel="stylesheet" href="/operations.css">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#main">Skip to the figures</a>
<header>
<h1>${service} ${version}</h1>
<p>${summary(view, concerns)} <span class="when">As of <time datetime="${new Date(view.atMs).toISOString()}">${shownInstant(view.atMs)}</time>${readings(view)}; reload for newer figures.</span></p>
<nav aria-label="Sections"><ul>
${links}</ul></nav>
</header>
<main id="main" tabindex="-1">
${contents.map(({ id, title, heading = title, content }) => section(id, heading, content(view, concerns)))}</main>
<footer><p>Read-only. <a href="/metrics">Metrics</a>. A whole day, with receipts and payers: <code>issuer-serve ledger report</code></p></footer>
</body>
</html>
`;
  return page.markup;
}

/** The alerts with their next steps. */
function attention(concerns: readonly Concern[]): Html {
  if (concerns.length === 0) return html`<p class="none">Nothing needs you.</p>`;
  const items = concerns.map(({ weight, what, next, command }) => {
    const typed = command === null ? null : html` <code class="long">${command}</code>`;
    return html`<li><p class="${weight} long">${what}</p><div>${next}${typed}</div></li>\n`;
  });
  return html`<p class="none">The most urgent first</p>
<ol class="concerns" role="list">
${items}</ol>`;
}

/** Releases, audit and figures cost time to read and may be older than the rest of the page. */
function readings({ atMs, readMs }: OperatorView): string {
  if (atMs - readMs < 1000) return '';
  return `; releases, audit and figures of the ledger were read ${shownDuration(atMs - readMs)} before`;
}

function summary({ ready }: OperatorView, concerns: readonly Concern[]): Html {
  if (!ready.ok) return state('bad', 'Readiness unknown.');
  if (!ready.value.ready) return state('bad', 'Not ready: paid calls are refused.');
  if (concerns.length === 0) return state('good', 'Ready.');
  const urgent = concerns.some(({ weight }) => weight === 'bad');
  const things = concerns.length === 1 ? 'one thing needs' : `${concerns.length} things need`;
  return state(urgent ? 'bad' : 'warn', `Ready, and ${things} a look.`);
}

/** Whether paid calls can be served, check by check. */
function readinessSection({ ready, freshness }: OperatorView): Html {
  if (!ready.ok) return notThere(ready.why);
  const { checks, source_date, manifest } = ready.value;
  const words = { ok: 'good', degraded: 'warn', failing: 'bad', disabled: 'off' } as const;
  const rows = Object.entries(checks).map(
    ([name, check]) =>
      [
        name.replaceAll('_', ' '),
        state(words[check.status], check.status),
        long(check.detail ?? '–'),
      ] as const,
  );
  const serving = facts([
    ['Slice', source_date ?? 'none'],
    ['Manifest', manifest?.version ?? 'none'],
    ['Age of the slice', sliceAge(freshness)],
  ]);
  const caption = 'What /ready says, check by check';
  return html`${serving}${table({ caption, columns: ['Check', 'State', 'Detail'], rows, none: 'No checks.' })}`;
}

function sliceAge(freshness: OperatorView['freshness']): Cell {
  if (!freshness.ok) return long(`not known: ${freshness.why}`);
  if (freshness.value === null) return 'none';
  const { ageMs, windowMs, stale } = freshness.value;
  const shown = shownDuration(ageMs);
  return stale ? state('bad', `${shown}, stale after ${shownDuration(windowMs)}`) : shown;
}

/** The newest releases and the manifest each date answers from. */
function releasesSection({ releases, atMs }: OperatorView): Html {
  if (!releases.ok) return notThere(releases.why);
  const { dates, newest, withdrawn } = releases.value;
  const rows = newest.map((part) =>
    part.ok
      ? releaseRow(part.value, atMs)
      : (['–', state('bad', 'unreadable'), long(part.why), '–'] as const),
  );
  const caption = `The newest ${newest.length} of ${shownCount(dates)} slices with a promoted release`;
  const columns = ['Slice', 'Manifest', 'Artifacts', 'Made'];
  return html`${table({ caption, columns, rows, none: 'Nothing is promoted yet; run issuer nightly.' })}${withdrawnFacts(withdrawn)}`;
}

function withdrawnFacts(withdrawn: readonly WithdrawnSlice[]): Html | null {
  if (withdrawn.length === 0) return null;
  return facts(
    withdrawn.map(({ source_date, withdrawn_at_utc, reason }): [string, string] => [
      `Withdrawn ${source_date}`,
      `${withdrawn_at_utc}: ${reason}`,
    ]),
  );
}

function releaseRow(line: ReleaseLine, atMs: number) {
  const kind = line.rowStoresOnly ? 'row stores' : line.sliceStatus;
  const mark = line.current ? html` ${state('good', 'current')}` : null;
  return [
    html`<span class="whole">${line.sourceDate}</span>`,
    html`${line.name}${mark} <code>${line.manifestSha256.slice(0, 12)}</code>`,
    `${shownCount(line.artifactCount)}, ${kind}`,
    `${shownDuration(atMs - Date.parse(line.generatedAt))} ago`,
  ] as const;
}

/** How the last night ended, and what the newest audit found. */
function nightSection({ lastRun, audit }: OperatorView): Html {
  return html`${lastRunFacts(lastRun)}${auditFacts(audit)}`;
}

function lastRunFacts(lastRun: OperatorView['lastRun']): Html {
  if (!lastRun.ok) return notThere(lastRun.why);
  const run = lastRun.value;
  if (run === null) return html`<p class="none">No night has run here.</p>`;
  const isWhole = run.status === 'ok' && run.degraded.length === 0;
  const kind = isWhole ? 'good' : run.status === 'failed' ? 'bad' : 'warn';
  return facts([
    ['Last night', run.source_date],
    ['It ended', state(kind, run.reason === null ? run.status : `${run.status}: ${run.reason}`)],
    ['At', run.finished_at_utc ?? 'still running'],
    ['Exit code', run.exit_code === null ? '–' : String(run.exit_code)],
    ['Published', run.published_release ?? 'nothing'],
    ...run.degraded.map((finding): [string, string] => ['Degraded', finding]),
    ...run.healed.map((sentence): [string, string] => ['Healed', sentence]),
  ]);
}

function auditFacts(audit: OperatorView['audit']): Html {
  if (!audit.ok) return notThere(audit.why);
  if (audit.value === null) return html`<p class="none">No audit has run here.</p>`;
  const { status, operation_count, age_hours } = audit.value;
  const failed =
    audit.value.failed_count + audit.value.composite_failed_count + audit.value.historical_failed_count;
  return facts([
    ['Audit', state(status === 'healthy' ? 'good' : 'bad', auditWords(audit.value))],
    ['Operations', `${shownCount(operation_count)}, ${shownCount(failed)} failed`],
    ['Age', age_hours === undefined ? '–' : shownDuration(age_hours * 3_600_000)],
  ]);
}

/** Receipts by rail and state, today and within seven days. */
function receiptsSection({ figures }: OperatorView): Html {
  if (!figures.ok) return notThere(figures.why);
  const amount = (count: number, micro: number): string =>
    micro === 0 ? shownCount(count) : `${shownCount(count)} · ${shownUsd(micro)}`;
  const rows = figures.value.receipts.map(
    (row) =>
      [row.mode, row.status, amount(row.today, row.todayMicro), amount(row.week, row.weekMicro)] as const,
  );
  const columns = ['Rail', 'State', 'Today (UTC)', '7 days'];
  const caption = 'Receipts by the day they were created, with what was charged';
  return table({ caption, columns, rows, none: 'No receipts in the last seven days.' });
}

/** Payments without an outcome, and undelivered answers. */
function paymentsSection({ figures, breakers, readMs, signatures }: OperatorView): Html {
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
  if (!figures.ok) return html`${notThere(figures.why)}${rails}${backend}`;
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
  return html`${counts}${open}${rails}${backend}`;
}

/** Grants with less than a tenth of their budget, or less than a week. */
function budgetsSection({ figures, atMs }: OperatorView): Html {
  if (!figures.ok) return notThere(figures.why);
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
  return table({ caption, columns, rows, none: 'No budget is running out.' });
}

/** Whether the ledger can write, what waits for it, and the room it has. */
function ledgerSection({ health, ledger }: OperatorView): Html {
  const free = ledger.freeBytes === null ? 'of its own server' : `${shownBytes(ledger.freeBytes)} free`;
  const place = [
    ['Where', ledger.address],
    ['Disk', free],
  ] as const;
  if (!health.ok) return html`${notThere(health.why)}${facts(place)}`;
  const { status, reason, waiting, slow } = health.value;
  const shown =
    status === 'failing'
      ? state('bad', `failing: ${reason}`)
      : slow
        ? state('warn', 'slow')
        : state('good', 'ok');
  return facts([['State', shown], ['Waiting to be written', shownCount(waiting)], ...place]);
}

/** What a provider says of our terms (P2.53). */
function shownTerms({ state: said, detail }: OperatorView['breakers'][number]['terms']) {
  if (said === 'unasked') return 'not asked yet';
  const weight = said === 'refused' ? 'bad' : said === 'away' ? 'warn' : 'good';
  return state(weight, said === 'agreed' ? 'settles what is offered' : (detail ?? said));
}

/** A cell: text, or markup. */
type Cell = string | Html;

/** Text of any length and without places to break, as ids and words of others are. */
function long(text: string): Html {
  return html`<span class="long">${text}</span>`;
}

// a word of the ledger may break behind its underscores, and nowhere else
function breakable(cell: Cell): Html {
  if (typeof cell !== 'string') return cell;
  const [first = '', ...rest] = cell.split('_');
  return html`${first}${rest.map((part) => html`_<wbr>${part}`)}`;
}

/** A table with a caption, column headers and a row header in the first column; `none` stands for no rows. */
function table(input: {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly [Cell, ...Cell[]])[];
  none: string;
}): Html {
  if (input.rows.length === 0) return html`<p class="none">${input.none}</p>`;
  const columns = input.columns.map((column) => html`<th scope="col">${column}</th>`);
  const rows = input.rows.map(
    ([first, ...rest]) =>
      html`<tr><th scope="row">${breakable(first)}</th>${rest.map((cell) => html`<td>${breakable(cell)}</td>`)}</tr>\n`,
  );
  return html`<table><caption>${input.caption}</caption>
<thead><tr>${columns}</tr></thead>
<tbody>
${rows}</tbody></table>`;
}

/** A value longer than this has a line of its own. */
const besideOthers = 24;

/** Names and values. */
function facts(pairs: readonly (readonly [string, Cell])[]): Html {
  const shown = pairs.map(([name, value]) => {
    const wide = textOf(value).length > besideOthers ? html` class="wide"` : null;
    return html`<div${wide}><dt>${name}</dt><dd>${value}</dd></div>\n`;
  });
  return html`<dl>${shown}</dl>`;
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.markup.replaceAll(/<[^>]*>/g, '');
}

/** A word with the weight of a state; the word says it, the colour only repeats it. */
function state(kind: 'good' | 'warn' | 'bad' | 'off', word: string): Html {
  return html`<span class="${kind}">${word}</span>`;
}

/** A section of the page with its heading. */
function section(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}</section>
`;
}

/** What stands where a part could not be read. */
function notThere(why: string): Html {
  return html`<p class="missing"><strong>Not available.</strong> ${why}</p>`;
}
