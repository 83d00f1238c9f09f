import type { Assessment } from './assessCases.ts';
import type { BacktestCase, BacktestReport } from './backtestReport.ts';

/** The report as a credit analyst reads it: protocol and counts first, figures with their intervals, then every case. */
export function backtestText(report: BacktestReport): string {
  const { limits } = report;
  const lines = [
    '',
    `Backtest of risk tiers against later events, parameters ${report.parameters} (METHODOLOGY M12.12)`,
    '',
    `  One observation a filing: its first row, with facts and prices known that day. They count from ${limits.embargoDays} day later;`,
    `  an event counts within ${limits.horizonMonths} months. An issuer nobody looked at is not an issuer without events.`,
    '  Tiers are those on filing values. Observations of one issuer overlap, so n overstates what is independent.',
    '',
    ...countLines(report),
    '',
    ...report.assessments.flatMap((assessment) => [...assessmentLines(assessment, report), '']),
    ...migrationLines(report),
    '',
    ...eventLines(report),
    '',
    ...caseLines(report.cases),
    '',
  ];
  return lines.join('\n');
}

const reasons = {
  censored: 'not followed to the end of the horizon',
  after_event: 'known only once the event had happened',
  not_followed: 'of issuers nobody looked at',
  unclassified: 'without a tier (UNCLASSIFIED)',
} as const;

function countLines({ cases, issuersFollowed, events }: BacktestReport): string[] {
  const of = (origin: BacktestCase['origin']) => cases.filter((c) => c.origin === origin).length;
  const issuers = new Set(cases.map((c) => c.cik)).size;
  const left = Object.entries(reasons).flatMap(([reason, words]) => {
    const n = cases.filter((c) => c.leftOut === reason).length;
    return n === 0 ? [] : [line('', `− ${n} ${words}`)];
  });
  return [
    line('Table', `${events.length} events, ${issuersFollowed} issuers followed`),
    line(
      'Observations',
      `${cases.length} of ${issuers} issuers: ${of('warehouse')} from the warehouse, ${of('reference')} reference cases`,
    ),
    ...left,
    line('Scored', `${cases.filter((c) => c.leftOut === null).length}`),
  ];
}

function assessmentLines(a: Assessment, { limits }: BacktestReport): string[] {
  const title = `Events ${a.types.join(', ')}: ${a.events} of ${a.n} observations (${a.issuersWithEvent} of ${a.issuers} issuers)`;
  const rows = a.measures.map(({ measure, result }) =>
    line(
      '',
      result === null
        ? `${measure.padEnd(22)} no figure: it needs an event and a non-event`
        : `${measure.padEnd(22)} ${f(result.auc)}    ${signed(result.accuracyRatio)}    ${f(result.pValue)}   ${result.events}/${result.n}`,
    ),
  );
  const tiers = a.tiers.map((t) =>
    line(
      '',
      `${t.tier.padEnd(22)} ${`${t.events}/${t.n}`.padEnd(7)} ${percent(t.rate)}   95 % ${percent(t.low)} … ${percent(t.high)}`,
    ),
  );
  const brier =
    a.brier === null
      ? 'no probability to score'
      : `${f(a.brier.score)} over ${a.brier.n}; always saying the base rate gives ${f(a.brier.ofBaseRate)}`;
  return [
    title,
    a.enoughEvents
      ? line('', `Each side has at least ${limits.minEvents} observations.`)
      : line(
          '',
          `TOO FEW EVENTS to call any figure below a finding (${limits.minEvents} on each side wanted).`,
        ),
    line('Measure', `${''.padEnd(22)} AUC      Somers’ D  p        events/n`),
    ...rows,
    line('Brier of p', brier),
    line('Hit rate', 'event within the horizon, by tier, with Wilson interval'),
    ...tiers,
  ];
}

function migrationLines({ migration }: BacktestReport): string[] {
  const { tiers, moves } = migration;
  const head = tiers.map((tier) => tier.slice(0, 8).padStart(9)).join('');
  const rows = tiers.map((tier, i) =>
    line('', `${tier.padEnd(13)}${(moves[i] ?? []).map((n) => String(n).padStart(9)).join('')}`),
  );
  return [
    'Tier of a filing (row) and of the issuer’s next one (column)',
    line('', `${''.padEnd(13)}${head}`),
    ...rows,
  ];
}

function eventLines({ events }: BacktestReport): string[] {
  const rows = events.map((e) => line(e.ticker, `${e.date} ${e.type}  ${e.note} — ${e.source}`));
  return ['Events, with their sources', ...rows];
}

function caseLines(cases: readonly BacktestCase[]): string[] {
  const rows = cases.map((c) => {
    const what = c.leftOut === null ? c.outcome.replace('_', ' ') : `left out: ${reasons[c.leftOut]}`;
    const mark = `${c.origin === 'reference' ? ' [reference]' : ''}${c.scope === 'facility' ? ' [one facility]' : ''}`;
    return line(
      c.ticker,
      `${c.period} known ${c.knownOn}  ${c.stress50.toFixed(6).padStart(11)}  ${c.tier.padEnd(12)} ${what}${mark}`,
    );
  });
  return ['Observations: stress_50, tier and what followed', ...rows];
}

function line(label: string, text: string): string {
  return `  ${label.padEnd(13)} ${text}`;
}

function f(value: number): string {
  return value.toFixed(4);
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1).padStart(5)} %`;
}
