import { type Html, html } from '../../../calculators/visual/page/html.ts';
import type { WithdrawnSlice } from '../../../data/contract/release/releaseFiles.ts';
import { auditWords } from '../../audit/auditStatusOf.ts';
import type { OperatorView, ReleaseLine } from '../admin/operatorView.ts';
import { shownCount, shownDuration, shownInstant } from './figures.ts';
import { budgetsSection, ledgerSection, paymentsSection, receiptsSection } from './moneySections.ts';
import { type Concern, concernsOf } from './operatorAlerts.ts';
import { type Cell, facts, long, notThere, section, state, table } from './table.ts';

const contents = [
  ['attention', 'To look at'],
  ['readiness', 'Readiness'],
  ['releases', 'Releases'],
  ['night', 'Night and audit'],
  ['receipts', 'Receipts'],
  ['payments', 'Payments'],
  ['budgets', 'Budgets'],
  ['ledger', 'Ledger'],
] as const;

/** The operations page (I5.51): everything is in it, nothing on it acts. */
export function operationsPage(
  view: OperatorView,
  { service, version }: { service: string; version: string },
): string {
  const links = contents.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>\n`);
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
${[
  attentionSection(concerns),
  readinessSection(view),
  releasesSection(view),
  nightSection(view),
  receiptsSection(view),
  paymentsSection(view),
  budgetsSection(view),
  ledgerSection(view),
]}</main>
<footer><p>Read-only. <a href="/metrics">Metrics</a>. A whole day, with receipts and payers: <code>issuer-serve ledger report</code></p></footer>
</body>
</html>
`;
  return page.markup;
}

/** The alerts with their next steps. */
function attentionSection(concerns: readonly Concern[]): Html {
  if (concerns.length === 0)
    return section('attention', 'To look at', html`<p class="none">Nothing needs you.</p>`);
  const items = concerns.map(({ weight, what, next, command }) => {
    const typed = command === null ? null : html` <code class="long">${command}</code>`;
    return html`<li><p class="${weight} long">${what}</p><div>${next}${typed}</div></li>\n`;
  });
  return section(
    'attention',
    'To look at',
    html`<p class="none">The most urgent first</p>
<ol class="concerns" role="list">
${items}</ol>`,
  );
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
  if (!ready.ok) return section('readiness', 'Readiness', notThere(ready.why));
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
  return section(
    'readiness',
    'Readiness',
    html`${serving}${table({ caption, columns: ['Check', 'State', 'Detail'], rows, none: 'No checks.' })}`,
  );
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
  if (!releases.ok) return section('releases', 'Releases', notThere(releases.why));
  const { dates, newest, withdrawn } = releases.value;
  const rows = newest.map((part) =>
    part.ok
      ? releaseRow(part.value, atMs)
      : (['–', state('bad', 'unreadable'), long(part.why), '–'] as const),
  );
  const caption = `The newest ${newest.length} of ${shownCount(dates)} slices with a promoted release`;
  const columns = ['Slice', 'Manifest', 'Artifacts', 'Made'];
  return section(
    'releases',
    'Releases',
    html`${table({ caption, columns, rows, none: 'Nothing is promoted yet; run issuer nightly.' })}${withdrawnFacts(withdrawn)}`,
  );
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
  return section('night', 'Night and audit', html`${lastRunFacts(lastRun)}${auditFacts(audit)}`);
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
