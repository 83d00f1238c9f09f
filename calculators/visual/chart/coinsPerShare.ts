import type { Cpx } from '../geometry/rect.ts';
import { type Chart, emptyChart, figureTable } from './chart.ts';
import { fixed, ratioPercentText } from './figures.ts';
import { datedPlot, zeroScale } from './plotFrame.ts';

/** Coins of 1,000 shares at one balance-sheet date, on the split basis of the newest; null where not known. */
export type PerShareDay = {
  readonly period: string;
  readonly basic: number | null;
  readonly diluted: number | null;
};

type PerShare = {
  readonly ticker: string;
  readonly asset: string;
  /** Ascending by date. */
  readonly rows: readonly PerShareDay[];
  readonly width: number;
};

/** Coins a thousand shares over balance-sheet dates, on one split basis, fully diluted dashed (V73). Width in px. */
export function coinsPerShare({ ticker, asset, rows, width }: PerShare): Chart {
  const known = rows.filter(({ basic }) => basic !== null);
  const count = (value: number | null): string => (value === null ? 'not known' : unitText(value));
  const shared = {
    id: 'coins-per-share',
    title: `${asset} a thousand shares of ${ticker}`,
    table: figureTable({
      caption: `${asset} a thousand shares of ${ticker} by balance-sheet date, split-adjusted`,
      rows,
      none: 'not known',
      columns: [
        { words: 'Period', of: 'period' },
        { figures: 'Outstanding', of: 'basic', as: unitText },
        { figures: 'Fully diluted', of: 'diluted', as: unitText },
      ],
    }),
  };
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || known.length < 2) {
    const words =
      last === undefined
        ? `No filing states coins and shares of ${ticker}.`
        : `${count(last.basic)} ${asset} a thousand shares on ${last.period}. One balance sheet is no history.`;
    return emptyChart(shared, width, {
      finding: `No history of coins a share of ${ticker}`,
      sentence: 'Both are counted at the balance-sheet date.',
      words,
    });
  }
  const [then, now] = [first.basic ?? 0, last.basic ?? 0];
  const isMeasured = then > 0 && Number.isFinite(now / then);
  const change = !isMeasured
    ? `${count(now)} ${asset} a thousand shares of ${ticker} on ${last.period}`
    : `${asset} a share of ${ticker} ${now >= then ? 'rose' : 'fell'} by ${ratioPercentText(now >= then ? now / then - 1 : 1 - now / then)} since ${first.period}`;
  return {
    ...shared,
    finding: change,
    sentence: `${asset} a thousand shares at balance-sheet dates, on the split basis of ${last.period}.`,
    desc: `${rows
      .map(({ period, basic, diluted }) => `${period}: ${count(basic)}, diluted ${count(diluted)}`)
      .join('; ')}. ${asset} a thousand shares, split-adjusted.`,
    scene: draw(rows, width * 100),
  };
}

/** Four figures of a small number, two decimals of a large one. */
function unitText(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return fixed(value, 0);
  if (size >= 1) return fixed(value, 2);
  return size >= 0.01 ? fixed(value, 4) : fixed(value, 6);
}

function draw(rows: readonly PerShareDay[], width: Cpx) {
  const values = rows.flatMap(({ basic, diluted }) => [basic, diluted]).filter((value) => value !== null);
  const line = (member: 'basic' | 'diluted') => ({
    days: rows.map(({ period, [member]: value }) => ({ date: period, value })),
    text: unitText,
    isWhole: true,
  });
  return datedPlot({
    ...zeroScale(values, {
      ...{ most: 5, least: 0.000001 },
      text: (value) => (value === 0 ? '0' : unitText(value)),
    }),
    width,
    lines: [
      {
        ...{ name: 'outstanding', isMain: true, ...line('basic') },
        paint: { stroke: 'series-a', strokeWidth: 175 },
        dots: { fill: 'series-a' },
      },
      {
        ...{ name: 'diluted', isMain: false, ...line('diluted') },
        paint: { stroke: 'series-a', strokeWidth: 125, dash: [400, 250] },
      },
    ],
    note: rows.some(({ diluted }) => diluted !== null)
      ? 'Split-adjusted. Dashed: everything exercised and converted.'
      : 'Split-adjusted. The fully diluted count is not filed as a fact.',
  });
}
