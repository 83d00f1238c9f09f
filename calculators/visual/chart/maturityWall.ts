import type { Cpx, Rect } from '../geometry/rect.ts';
import { pointAt } from '../geometry/segment.ts';
import type { SceneItem } from '../scene/scene.ts';
import { type Chart, emptyChart, figureTable } from './chart.ts';
import { bar, rule } from './chartPen.ts';
import { ratioPercentText, usdText } from './figures.ts';
import { barPlot } from './plotFrame.ts';
import type { Scale } from './scales.ts';

/** What is due in one calendar year, in the currency of the filing; `later` for a bucket without an end. */
export type DueYear = {
  readonly year: string;
  readonly proven: number;
  /** Supported, stated by one tag, or not proven at all. */
  readonly unproven: number;
  /** Of instruments that holders may put, or that fall due earlier under a condition; part of another bar, never added. */
  readonly early: number;
};

const mostYears = 12;
const kinds = [
  { kind: 'proven', name: 'proven' },
  { kind: 'unproven', name: 'not proven' },
  { kind: 'early', name: 'put or springing date' },
] as const;
type Kind = (typeof kinds)[number]['kind'];

type Wall = {
  readonly ticker: string;
  /** Balance-sheet date. */
  readonly period: string;
  /** Ascending. */
  readonly years: readonly DueYear[];
  /** Part of the debt that the wall holds; null when unknown. */
  readonly coverage: number | null;
  readonly width: number;
};

/** What falls due by year: proven amounts filled, others hatched, puts and springing dates outlined beside them (V71). Width in px. */
export function maturityWall({ ticker, period, years, coverage, width }: Wall): Chart {
  const shown = years.slice(0, mostYears);
  const amount = (value: number): string => (value === 0 ? 'none on the wall' : usdText(value));
  const shared = {
    id: 'maturity-wall',
    title: `Maturity wall of ${ticker}`,
    table: figureTable({
      caption: `What falls due of ${ticker} by year, as filed for ${period}`,
      rows: shown,
      columns: [
        { words: 'Year', of: 'year' },
        { figures: 'Proven', of: 'proven', as: amount },
        { figures: 'Not proven', of: 'unproven', as: amount },
        { figures: 'Put or springing', of: 'early', as: amount },
      ],
    }),
  };
  const largest = shown.toSorted((a, b) => dueOf(b) - dueOf(a))[0];
  if (largest === undefined)
    return emptyChart(shared, width, {
      finding: `No maturities of ${ticker}`,
      sentence: `Filing of ${period}.`,
      words: `No maturity date and no bucket of ${ticker} is filed as a fact.`,
    });
  const share =
    coverage === null
      ? 'The share of the debt is not known.'
      : `The wall holds ${ratioPercentText(coverage)} of the debt.`;
  return {
    ...shared,
    finding: `Most of what ${ticker} has to repay is due ${largest.year === 'later' ? 'later than the filed years' : `in ${largest.year}`}: ${usdText(dueOf(largest))}`,
    sentence: `As filed for ${period}. ${share}`,
    desc: `${shown
      .map(
        ({ year, proven, unproven, early }) =>
          `${year}: proven ${amount(proven)}, not proven ${amount(unproven)}, put or springing ${amount(early)}`,
      )
      .join('; ')}. ${share}`,
    scene: draw(shown, { width: width * 100, share }),
  };
}

const dueOf = ({ proven, unproven }: DueYear) => proven + unproven;

function draw(shown: readonly DueYear[], { width, share }: { width: Cpx; share: string }) {
  const hasEarly = shown.some(({ early }) => early > 0);
  const noteRoom = `${share} Outlined amounts are part of other bars and are not added.`;
  return barPlot({
    rows: shown,
    most: Math.max(...shown.flatMap((one) => [dueOf(one), one.early])),
    legend: kinds.map(({ kind, name }) => ({
      name,
      sample: (x, y) => box(kind, { x, y: y - 450, w: 900, h: 900 }),
    })),
    legendLeft: 0,
    text: ({ year }) => year,
    bars: (one, { middle, pitch, y }) => {
      const w = Math.min(3_600, Math.floor(pitch * (hasEarly ? 0.38 : 0.66)));
      const x = hasEarly ? middle - w - 50 : middle - Math.floor(w / 2);
      return [
        ...pile('proven', { from: 0, to: one.proven, x, w, y }),
        ...pile('unproven', { from: one.proven, to: dueOf(one), x, w, y }),
        ...pile('early', { from: 0, to: one.early, x: middle + 50, w, y }),
      ];
    },
    note: hasEarly ? noteRoom : share,
    noteRoom,
    width,
  });
}

function pile(
  kind: Kind,
  { from, to, x, w, y }: { from: number; to: number; x: Cpx; w: Cpx; y: Scale },
): SceneItem[] {
  if (to <= from) return [];
  // a small amount is a line
  const h = Math.max(150, y(from) - y(to));
  return box(kind, { x, y: y(from) - h, w, h });
}

function box(kind: Kind, area: Rect): SceneItem[] {
  if (kind === 'proven') return [bar(area, { fill: 'series-b' })];
  if (kind === 'early')
    return [bar(area, { fill: 'ground', stroke: 'series-b', strokeWidth: 125, dash: [300, 200] })];
  return [bar(area, { fill: 'ground', stroke: 'series-b', strokeWidth: 100 }), ...hatching(area)];
}

const hatchStep: Cpx = 500;

function hatching({ x, y, w, h }: Rect): SceneItem[] {
  const lines: SceneItem[] = [];
  for (let at = hatchStep; at < w + h; at += hatchStep) {
    const [from, to] = [Math.max(0, at - h), Math.min(at, w)];
    const start = pointAt(x + from, y + h - Math.min(h, at - from));
    const end = pointAt(x + to, y + h - (at - to));
    lines.push(rule([start, end], { stroke: 'series-b', strokeWidth: 75 }));
  }
  return lines;
}
