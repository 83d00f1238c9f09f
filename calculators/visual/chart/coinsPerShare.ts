import type { Cpx } from '../geometry/rect.ts';
import { type Chart, column, emptyChart } from './chart.ts';
import { circle } from './chartPen.ts';
import { endLabelOf } from './endLabels.ts';
import { fixed, ratioPercentText } from './figures.ts';
import { datedPlot } from './plotFrame.ts';
import { type Known, runLine } from './runsOf.ts';
import { linearScale, ticksOf } from './scales.ts';
import { dayNumber } from './timeAxis.ts';

/** Coins of 1,000 shares at one balance-sheet date, on the split basis of the newest; null where not known. */
export type PerShareDay = {
  readonly period: string;
  readonly basic: number | null;
  readonly diluted: number | null;
};

const lines = [
  { member: 'basic', name: 'outstanding', isMain: true },
  { member: 'diluted', name: 'diluted', isMain: false },
] as const;

/** Coins a thousand shares over balance-sheet dates, on one split basis, fully diluted dashed (V73). Width in px. */
export function coinsPerShare({
  ticker,
  asset,
  rows,
  width,
}: {
  ticker: string;
  asset: string;
  /** Ascending by date. */
  rows: readonly PerShareDay[];
  width: number;
}): Chart {
  const known = rows.filter(({ basic }) => basic !== null);
  const count = (value: number | null): string => (value === null ? 'not known' : unitText(value));
  const shared = {
    id: 'coins-per-share',
    title: `${asset} a thousand shares of ${ticker}`,
    table: {
      caption: `${asset} a thousand shares of ${ticker} by balance-sheet date, split-adjusted`,
      columns: [column.words('Period'), column.figures('Outstanding'), column.figures('Fully diluted')],
      rows: rows.map(({ period, basic, diluted }) => [period, count(basic), count(diluted)]),
    },
  };
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || known.length < 2) {
    const words =
      last === undefined
        ? `No filing states coins and shares of ${ticker}.`
        : `${count(last.basic)} ${asset} a thousand shares on ${last.period}. One balance sheet is no history.`;
    return emptyChart({
      ...shared,
      finding: `No history of coins a share of ${ticker}`,
      sentence: 'Both are counted at the balance-sheet date.',
      words,
      width,
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

/** Unbroken runs of balance sheets, however far apart those are; a count that is not known ends a run. */
function filingRuns(points: readonly { readonly day: number; readonly value: number | null }[]): Known[][] {
  const found: Known[][] = [[]];
  for (const { day, value } of points) {
    if (value === null) found.push([]);
    else found.at(-1)?.push({ day, value });
  }
  return found.filter((run) => run.length > 0);
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
  const most = Math.max(...values);
  const ticks = ticksOf({ from: 0, to: most, most: 5, least: 0.000001 });
  const ends = lines.flatMap(({ member, name, isMain }) =>
    endLabelOf(
      rows.map((row) => ({ date: row.period, value: row[member] })),
      { name, isMain, text: unitText },
    ),
  );
  const hasDiluted = rows.some(({ diluted }) => diluted !== null);
  return datedPlot({
    days: rows.map(({ period }) => dayNumber(period)),
    scale: (place) => linearScale({ from: 0, to: Math.max(ticks.at(-1) ?? 0, most), ...place }),
    marks: ticks.map((value) => ({ value, text: value === 0 ? '0' : unitText(value) })),
    ends,
    width,
    lines: ({ x, y }) => [
      ...lines.flatMap(({ member, isMain }) =>
        filingRuns(rows.map((row) => ({ day: dayNumber(row.period), value: row[member] }))).flatMap((run) =>
          runLine(
            run.map(({ day, value }) => ({ x: x(day), y: y(value) })),
            isMain
              ? { stroke: 'series-a', strokeWidth: 175 }
              : { stroke: 'series-a', strokeWidth: 125, dash: [400, 250] },
          ),
        ),
      ),
      ...rows.flatMap(({ period, basic }) =>
        basic === null
          ? []
          : [
              circle(
                { x: x(dayNumber(period)), y: y(basic), r: 300 },
                { fill: 'series-a', stroke: 'ground' },
              ),
            ],
      ),
    ],
    note: hasDiluted
      ? 'Split-adjusted. Dashed: everything exercised and converted.'
      : 'Split-adjusted. The fully diluted count is not filed as a fact.',
  });
}
