import { markdownTable } from '../modelCard/modelCard.ts';
import type { Assessment } from './assessCases.ts';
import type { BacktestCase, BacktestReport } from './backtestReport.ts';

/** The report as a document: what can be concluded, counts by row and by issuer, figures, every case and its source. */
export function backtestDocument(report: BacktestReport): string {
  return [
    '# Backtest',
    `Risk tiers as they were known against what happened later, parameters ${report.parameters} (M12.12–M12.17 of the methodology). \`issuer backtest\` prints this document; with a warehouse its rows take the place of the reference cases.`,
    '## What can be concluded',
    bullets(conclusions(report)),
    '## Protocol',
    bullets(protocol(report)),
    '## Counts',
    countTable(report),
    ...report.assessments.flatMap((assessment) => assessmentParts(assessment, report)),
    '## The probability on its own event',
    'The breach probability forecasts that the ratio touches the reference covenant within 365 days with debt unchanged. It is scored on exactly that: each day with 365 days after it, hit when the lowest close of them is low enough. Days overlap; the independent sample is the number of years (M12.16).',
    ownEventTable(report),
    '## From a filing’s tier to the tier of the issuer’s next',
    migrationTable(report),
    '## Rows',
    caseTable(report.cases),
    '## Sources',
    'An event stands on a filing (accession number), a docket or the issuer’s own release, press only beside one; “none” says until which day the filing shows debt paid or outstanding.',
    sourceTable(report),
    '',
  ].join('\n\n');
}

const leftOutWords = {
  censored: 'not followed to the end of the horizon',
  after_event: 'known only once the event had happened',
  not_followed: 'no primary source followed the issuer',
  unproven: 'debt or coins not proven',
  unclassified: 'without a tier',
} as const;

const apartWords = {
  incidental: 'coins below 1 % of assets',
  selected_on_outcome: 'chosen for their outcome',
  lower_bound: 'coins at cost less impairment',
} as const;

function protocol({ limits }: BacktestReport): string[] {
  return [
    `One row a filing: its first one, with facts and prices known that day. They count from ${limits.embargoDays} day later; an event counts within ${limits.horizonMonths} months.`,
    'One issuer is one cluster: intervals are a bootstrap over issuers (2,000 draws, seed 7), the permutation test moves issuers as blocks.',
    `With fewer than ${limits.minEvents} issuers that had an event no AUC is given.`,
    'An issuer that was not followed is not an issuer without events. Unproven debt or coins are in no figure. Rows chosen for their outcome, on incidental coins, or on coins at cost are counted apart.',
  ];
}

function countTable({ cases, assessments, apart }: BacktestReport): string {
  const issuers = (rows: readonly BacktestCase[]) => String(new Set(rows.map((c) => c.cik)).size);
  const left = Object.entries(leftOutWords).flatMap(([reason, words]) => {
    const rows = cases.filter((c) => c.leftOut === reason);
    return rows.length === 0 ? [] : [[`left out: ${words}`, String(rows.length), issuers(rows), '', '']];
  });
  const counted = (name: string, c: Pick<Assessment, 'n' | 'issuers' | 'events' | 'issuersWithEvent'>) => [
    name,
    ...[c.n, c.issuers, c.events, c.issuersWithEvent].map(String),
  ];
  return markdownTable(
    ['', 'rows', 'issuers', 'rows with an event', 'issuers with an event'],
    [
      ['observations', String(cases.length), issuers(cases), '', ''],
      ...left,
      ...apart.map((a) => counted(`counted apart: ${apartWords[a.group]}`, a)),
      ...assessments.slice(0, 1).map((a) => counted('in the hit rates', a)),
    ],
  );
}

function assessmentParts(a: Assessment, { limits }: BacktestReport): string[] {
  const tiers = a.tiers.map((t) => [
    t.tier,
    `${t.events} of ${t.n}`,
    `${t.issuersWithEvent} of ${t.issuers}`,
    percent(t.rate),
    t.interval === null
      ? 'none: one issuer, or all alike'
      : `${percent(t.interval.low)} … ${percent(t.interval.high)}`,
  ]);
  const measures = a.measures.map(({ measure, result }) => [
    measure,
    result === null ? 'no figure' : f(result.auc),
    result?.interval ? `${f(result.interval.low)} … ${f(result.interval.high)}` : '',
    result === null ? '' : f(result.accuracyRatio),
    result === null ? '' : f(result.pValue),
  ]);
  const brier =
    a.brier === null
      ? 'No probability to score on these events.'
      : `Brier score of the breach probability on these events: ${f(a.brier.score)} over ${a.brier.n} rows; always saying the base rate gives ${f(a.brier.ofBaseRate)}. This is no judgement of the probability, which forecasts another event (below).`;
  return [
    `## Events ${a.types.join(', ')}`,
    `${a.events} of ${a.n} rows, ${a.issuersWithEvent} of ${a.issuers} issuers.`,
    a.tiers.length === 0
      ? 'No row to count.'
      : markdownTable(
          ['tier', 'rows with an event', 'issuers with an event', 'rate of rows', '95 % by issuer'],
          tiers,
        ),
    a.enoughEvents
      ? markdownTable(['measure', 'AUC', '95 % by issuer', 'Somers’ D', 'p'], measures)
      : `No AUC: issuers with an event ${a.issuersWithEvent}, wanted ${limits.minEvents} on each side.`,
    brier,
  ];
}

function ownEventTable({ ownEvent }: BacktestReport): string {
  return markdownTable(
    ['coin', 'days', 'years', 'LTV₀', 'predicted', 'observed', 'Brier'],
    ownEvent.map((s) => [
      s.coin,
      ...[s.days, s.years].map(String),
      s.loanToValue.toFixed(2),
      ...[s.predicted, s.observed].map((share) => share.toFixed(3)),
      s.brier === null ? '–' : s.brier.toFixed(3),
    ]),
  );
}

function migrationTable({ migration }: BacktestReport): string {
  const { tiers, moves } = migration;
  return markdownTable(
    ['from \\ to', ...tiers],
    tiers.map((tier, i) => [tier, ...(moves[i] ?? []).map(String)]),
  );
}

function caseTable(cases: readonly BacktestCase[]): string {
  const rows = cases.map((c) => [
    `${c.ticker}${c.scope === 'facility' ? ' (one facility)' : ''}`,
    c.period,
    c.knownOn,
    c.stress50 === null ? '–' : c.stress50.toFixed(6),
    c.tier,
    c.figuresBasis,
    c.coinsBasis,
    c.leftOut === null ? c.outcome.replace('_', ' ') : `left out: ${leftOutWords[c.leftOut]}`,
    c.group === null || c.leftOut !== null ? '' : apartWords[c.group],
    c.origin,
  ]);
  return markdownTable(
    [
      'issuer',
      'period',
      'known',
      'stress_50',
      'tier',
      'figures',
      'coins by',
      'what followed',
      'apart',
      'from',
    ],
    rows,
  );
}

function sourceTable({ sources }: BacktestReport): string {
  return markdownTable(
    ['issuer', 'event', 'day', 'primary source', 'press beside it', 'what'],
    sources.map((e) => [e.ticker, e.type ?? 'none', e.date, `${e.primary}, ${e.document}`, e.press, e.note]),
  );
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `* ${line}`).join('\n');
}

function f(value: number): string {
  return value.toFixed(4);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** What the counts support and what they do not, in sentences made from them. */
function conclusions(report: BacktestReport): string[] {
  const [all, defaults] = report.assessments;
  if (all === undefined || defaults === undefined) return [];
  const worst = defaults.tiers.find(({ tier }) => tier === 'CRITICAL');
  const chosen = report.apart.filter(({ group }) => group !== 'lower_bound');
  const chosenEvents = chosen.reduce((sum, { issuersWithEvent }) => sum + issuersWithEvent, 0);
  return [
    `${all.n} rows count; they are ${all.issuers} issuers, so ${all.issuers} independent observations at most. Events followed ${all.events} of the rows, of ${all.issuersWithEvent} of the issuers; defaults (E1–E3) ${defaults.events}, of ${defaults.issuersWithEvent}.`,
    all.enoughEvents
      ? 'There are enough issuers on both sides for the measures below; their intervals are by issuer.'
      : `Whether a higher ratio or tier precedes more events **cannot be concluded**: ${report.limits.minEvents} issuers with an event are wanted, there are ${all.issuersWithEvent}.`,
    ...(worst === undefined
      ? []
      : [
          `Of ${worst.issuers} issuers seen as CRITICAL ${worst.issuersWithEvent} defaulted within the horizon: CRITICAL says how thin the coins cover the debt after a fall, **not** that a default is likely.`,
        ]),
    `Events that followed rows chosen for them, or rows on incidental coins (${chosenEvents} issuers), are counted apart: they show what such rows look like, **not** how often an event follows.`,
    ...ownEventSentence(report),
  ];
}

function ownEventSentence({ ownEvent }: BacktestReport): string[] {
  const low = ownEvent.filter(
    ({ loanToValue, observed, predicted }) => loanToValue <= 0.1 && observed > predicted,
  );
  if (ownEvent.length === 0) return [];
  const years = Math.max(...ownEvent.map((score) => score.years));
  const listed = low.map((s) => `${s.coin} ${s.loanToValue.toFixed(2)}`).join(', ');
  return [
    `The breach probability can be judged on its own event, over at most ${years} independent years a coin: ${listed === '' ? 'at low ratios it is nowhere too small' : `it is too small at ${listed}`}.`,
  ];
}
