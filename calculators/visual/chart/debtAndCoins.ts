import type { Cpx } from '../geometry/rect.ts';
import type { SceneItem } from '../scene/scene.ts';
import { type Chart, emptyChart, figureTable } from './chart.ts';
import { bar, level, swatch } from './chartPen.ts';
import { stressText, usdText } from './figures.ts';
import { barPlot } from './plotFrame.ts';
import type { Scale } from './scales.ts';

/** Debt and coins of one balance-sheet date in US dollars; null where no filing says or proves them. */
export type PeriodAmounts = {
  /** ISO date; the month alone of a period that no slice holds. */
  readonly period: string;
  readonly debt: number | null;
  readonly coins: number | null;
};

const mostPeriods = 8;
const kinds = [
  { kind: 'debt', name: 'debt', fill: 'series-b' },
  { kind: 'coins', name: 'coins', fill: 'series-a' },
] as const;

type Amounts = {
  readonly ticker: string;
  /** Ascending by date. */
  readonly periods: readonly PeriodAmounts[];
  readonly width: number;
};

/** Debt beside coins by balance-sheet date (V51), the last eight; bars start at zero, a missing figure is a gap. Width in px. */
export function debtAndCoins({ ticker, periods, width }: Amounts): Chart {
  const shown = periods.slice(-mostPeriods);
  const amount = (value: number | null): string => (value === null ? 'not proven' : usdText(value));
  const shared = {
    id: 'debt-and-coins',
    title: `Debt and coins of ${ticker}`,
    table: figureTable({
      caption: `Debt and coins of ${ticker} by balance-sheet date, US dollars`,
      rows: shown,
      none: 'not proven',
      columns: [
        { words: 'Period', of: 'period' },
        { figures: 'Debt', of: 'debt', as: usdText },
        { figures: 'Coins', of: 'coins', as: usdText },
      ],
    }),
  };
  const last =
    shown.findLast(({ debt, coins }) => debt !== null && coins !== null) ??
    shown.findLast(({ debt, coins }) => debt !== null || coins !== null);
  if (last === undefined)
    return emptyChart(shared, width, {
      finding: `No figures of ${ticker}`,
      sentence: 'Both come from balance sheets.',
      words: `No filing proves debt or coins of ${ticker}.`,
    });
  return {
    ...shared,
    finding: findingOf(ticker, last),
    sentence: 'By balance-sheet date; coins at the value of the balance sheet.',
    desc: `${shown
      .map(({ period, debt, coins }) => `${period}: debt ${amount(debt)}, coins ${amount(coins)}`)
      .join('; ')}. US dollars.`,
    scene: draw(shown, width * 100),
  };
}

function findingOf(ticker: string, { period, debt, coins }: PeriodAmounts): string {
  if (debt === null || coins === null)
    return `${debt === null ? 'Coins' : 'Debt'} of ${ticker} ${usdText(debt ?? coins ?? 0)} on ${period}`;
  if (debt === 0 && coins === 0) return `${ticker} owed nothing and held no coins on ${period}`;
  if (debt === 0) return `${ticker} held ${usdText(coins)} of coins and owed nothing on ${period}`;
  if (coins === 0) return `${ticker} owed ${usdText(debt)} and held no coins on ${period}`;
  return `${ticker} owed ${stressText(debt / coins)} of the value of its coins on ${period}`;
}

function draw(shown: readonly PeriodAmounts[], width: Cpx) {
  const hasGap = shown.some(({ debt, coins }) => debt === null || coins === null);
  return barPlot({
    rows: shown,
    most: Math.max(0, ...shown.flatMap(({ debt, coins }) => [debt ?? 0, coins ?? 0])),
    legend: kinds.map(({ name, fill }) => ({ name, sample: swatch(fill) })),
    text: ({ period }) => period.slice(0, 7),
    // where eight dates do not fit, older ones are omitted
    isNewestFirst: true,
    bars: (period, { middle, pitch, y }) => {
      const w = Math.min(3_000, Math.floor(pitch * 0.36));
      return kinds.flatMap(({ kind, fill }, k) =>
        pairBar(period[kind], { x: k === 0 ? middle - w - 50 : middle + 50, w, y, fill }),
      );
    },
    note: `US dollars.${hasGap ? ' No bar: no filing at hand proves the amount.' : ''}`,
    width,
  });
}

function pairBar(
  value: number | null,
  { x, w, y, fill }: { x: Cpx; w: Cpx; y: Scale; fill: (typeof kinds)[number]['fill'] },
): SceneItem[] {
  if (value === null) return [];
  const zero = y(0);
  // a small amount is a line, none is a mark on the base
  const h = value === 0 ? 0 : Math.max(75, zero - y(value));
  const base = level(zero, [x, x + w], { stroke: fill, strokeWidth: 150 });
  return h === 0 ? [base] : [bar({ x, y: zero - h, w, h }, { fill })];
}
