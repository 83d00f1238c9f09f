import type { BacktestReport } from './backtestReport.ts';

/** What the counts support and what they do not, in sentences made from them. */
export function conclusions(report: BacktestReport): string[] {
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
