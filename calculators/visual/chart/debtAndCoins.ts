import type { Cpx } from '../geometry/rect.ts';
import type { SceneItem } from '../scene/scene.ts';
import { measureText } from '../type/measureText.ts';
import { type Chart, column, emptyChart, noteLines, sceneOf } from './chart.ts';
import { bar, label, legendLines, level, styles, swatch } from './chartPen.ts';
import { keepApart } from './endLabels.ts';
import { stressText, usdText } from './figures.ts';
import { plotHeight, scaleLines, scaleWidth } from './plotFrame.ts';
import { linearScale, type Scale, ticksOf } from './scales.ts';

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

/** Debt beside coins by balance-sheet date (V51), the last eight; bars start at zero, a missing figure is a gap. Width in px. */
export function debtAndCoins({
  ticker,
  periods,
  width,
}: {
  ticker: string;
  /** Ascending by date. */
  periods: readonly PeriodAmounts[];
  width: number;
}): Chart {
  const shown = periods.slice(-mostPeriods);
  const amount = (value: number | null): string => (value === null ? 'not proven' : usdText(value));
  const shared = {
    id: 'debt-and-coins',
    title: `Debt and coins of ${ticker}`,
    table: {
      caption: `Debt and coins of ${ticker} by balance-sheet date, US dollars`,
      columns: [column.words('Period'), column.figures('Debt'), column.figures('Coins')],
      rows: shown.map(({ period, debt, coins }) => [period, amount(debt), amount(coins)]),
    },
  };
  const last =
    shown.findLast(({ debt, coins }) => debt !== null && coins !== null) ??
    shown.findLast(({ debt, coins }) => debt !== null || coins !== null);
  if (last === undefined) {
    const words = `No filing proves debt or coins of ${ticker}.`;
    return emptyChart({
      ...shared,
      finding: `No figures of ${ticker}`,
      sentence: 'Both come from balance sheets.',
      words,
      width,
    });
  }
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
  const most = Math.max(0, ...shown.flatMap(({ debt, coins }) => [debt ?? 0, coins ?? 0]));
  // billions are printed from a thousand millions on, both with one decimal
  const ticks = ticksOf({ from: 0, to: most, most: 5, least: most > 900_000_000 ? 100_000_000 : 100_000 });
  const high = Math.max(most, ticks.at(-1) ?? 1, 1);
  const marks = ticks.map((value) => ({ value, text: value === 0 ? '0' : usdText(value) }));
  const left = scaleWidth(marks);
  const head = legendLines(
    kinds.map(({ name, fill }) => ({ name, sample: swatch(fill) })),
    { left, width, y: 900, step: 1_700, gap: 1_500 },
  );
  const top = head.end + 1_900;
  const bottom = top + plotHeight(width);
  const y = linearScale({ from: 0, to: high, at: bottom, end: top });
  const pitch = Math.floor((width - left) / shown.length);
  const barWidth = Math.min(3_000, Math.floor(pitch * 0.36));
  const bars = shown.flatMap((period, i) => {
    const middle = left + i * pitch + Math.floor(pitch / 2);
    return kinds.flatMap(({ kind, fill }, k) =>
      pairBar(period[kind], { x: k === 0 ? middle - barWidth - 50 : middle + 50, w: barWidth, y, fill }),
    );
  });
  // the newest first: where eight dates do not fit, older ones are omitted
  const dates = shown
    .map(({ period }, i) => {
      const text = period.slice(0, 7);
      const half = Math.ceil(measureText(text, styles.small) / 2);
      const middle = left + i * pitch + Math.floor(pitch / 2);
      return label({ text, x: Math.min(middle, width - half), baseline: bottom + 1_500, align: 'middle' });
    })
    .toReversed();
  const hasGap = shown.some(({ debt, coins }) => debt === null || coins === null);
  const note = hasGap
    ? noteLines('US dollars. No bar: no filing at hand proves the amount.', { top: bottom + 2_000, width })
    : noteLines('US dollars.', { top: bottom + 2_000, width });
  return sceneOf({
    width,
    height: note.bottom + 200,
    items: [
      ...head.items,
      ...scaleLines(marks, { y, left, right: width }),
      ...bars,
      ...keepApart(dates),
      ...note.items,
    ],
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
