import { type Html, html } from '../../../calculators/visual/page/html.ts';
import type { OperatorView } from '../admin/operatorView.ts';
import { shownDuration, shownInstant } from './figures.ts';
import { budgetsSection, ledgerSection, paymentsSection, receiptsSection } from './moneySections.ts';
import { type Concern, concernsOf } from './operatorAlerts.ts';
import { nightSection, readinessSection, releasesSection } from './releaseSections.ts';
import { section, state } from './table.ts';

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
