import type { Cpx, Rect } from '../geometry/rect.ts';
import type { SceneItem } from '../scene/scene.ts';
import { measureText } from '../type/measureText.ts';
import { type Chart, column, emptyChart, noteLines, sceneOf } from './chart.ts';
import { bar, label, legendLines, rule, styles } from './chartPen.ts';
import { keepApart } from './endLabels.ts';
import { ratioPercentText, usdText } from './figures.ts';
import { plotHeight, scaleLines, scaleWidth } from './plotFrame.ts';
import { linearScale, type Scale, ticksOf } from './scales.ts';

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

/** What falls due by year: proven amounts filled, others hatched, puts and springing dates outlined beside them (V71). Width in px. */
export function maturityWall({
  ticker,
  period,
  years,
  coverage,
  width,
}: {
  ticker: string;
  /** Balance-sheet date. */
  period: string;
  /** Ascending. */
  years: readonly DueYear[];
  /** Part of the debt that the wall holds; null when unknown. */
  coverage: number | null;
  width: number;
}): Chart {
  const shown = years.slice(0, mostYears);
  const amount = (value: number): string => (value === 0 ? 'none on the wall' : usdText(value));
  const shared = {
    id: 'maturity-wall',
    title: `Maturity wall of ${ticker}`,
    table: {
      caption: `What falls due of ${ticker} by year, as filed for ${period}`,
      columns: [
        column.words('Year'),
        column.figures('Proven'),
        column.figures('Not proven'),
        column.figures('Put or springing'),
      ],
      rows: shown.map(({ year, proven, unproven, early }) => [
        year,
        amount(proven),
        amount(unproven),
        amount(early),
      ]),
    },
  };
  const largest = shown.toSorted((a, b) => dueOf(b) - dueOf(a))[0];
  if (largest === undefined) {
    const words = `No maturity date and no bucket of ${ticker} is filed as a fact.`;
    return emptyChart({
      ...shared,
      finding: `No maturities of ${ticker}`,
      sentence: `Filing of ${period}.`,
      words,
      width,
    });
  }
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
  const most = Math.max(...shown.flatMap((one) => [dueOf(one), one.early]));
  const ticks = ticksOf({ from: 0, to: most, most: 5, least: most > 900_000_000 ? 100_000_000 : 100_000 });
  const marks = ticks.map((value) => ({ value, text: value === 0 ? '0' : usdText(value) }));
  const left = scaleWidth(marks);
  const head = legendLines(
    kinds.map(({ kind, name }) => ({
      name,
      sample: (x, y) => box(kind, { x, y: y - 450, w: 900, h: 900 }),
    })),
    { left: 0, width, y: 900, step: 1_700, gap: 1_500 },
  );
  const top = head.end + 1_900;
  const bottom = top + plotHeight(width);
  const y = linearScale({ from: 0, to: Math.max(most, ticks.at(-1) ?? 1, 1), at: bottom, end: top });
  const pitch = Math.floor((width - left) / shown.length);
  const hasEarly = shown.some(({ early }) => early > 0);
  const barWidth = Math.min(3_600, Math.floor(pitch * (hasEarly ? 0.38 : 0.66)));
  const middleOf = (i: number) => left + i * pitch + Math.floor(pitch / 2);
  const bars = shown.flatMap((one, i) => {
    const x = hasEarly ? middleOf(i) - barWidth - 50 : middleOf(i) - Math.floor(barWidth / 2);
    return [
      ...pile('proven', { from: 0, to: one.proven, x, w: barWidth, y }),
      ...pile('unproven', { from: one.proven, to: dueOf(one), x, w: barWidth, y }),
      ...pile('early', { from: 0, to: one.early, x: middleOf(i) + 50, w: barWidth, y }),
    ];
  });
  const texts = shown.map(({ year }, i) => {
    const half = Math.ceil(measureText(year, styles.small) / 2);
    return label({
      text: year,
      x: Math.min(middleOf(i), width - half),
      baseline: bottom + 1_500,
      align: 'middle',
    });
  });
  const note = noteLines(`${share} Outlined amounts are part of other bars and are not added.`, {
    top: bottom + 2_000,
    width,
  });
  return sceneOf({
    width,
    height: note.bottom + 200,
    items: [
      ...head.items,
      ...scaleLines(marks, { y, left, right: width }),
      ...bars,
      ...keepApart(texts),
      ...(hasEarly ? note.items : noteLines(share, { top: bottom + 2_000, width }).items),
    ],
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
    lines.push(
      rule(
        [
          { x: x + from, y: y + h - (at - from) + (at - from > h ? at - from - h : 0) },
          { x: x + to, y: y + h - (at - to) },
        ],
        { stroke: 'series-b', strokeWidth: 75 },
      ),
    );
  }
  return lines;
}
