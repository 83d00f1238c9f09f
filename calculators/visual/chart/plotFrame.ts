import { dayNumber } from '../../../data/contract/values/instant.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { Scene, SceneItem } from '../scene/scene.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { measureText } from '../type/measureText.ts';
import { noteLines, sceneOf } from './chart.ts';
import { circle, type LegendEntry, label, legendLines, level, styles } from './chartPen.ts';
import { endLabelOf, endLabels, endLabelsWidth, keepApart } from './endLabels.ts';
import { usdText } from './figures.ts';
import { runLine, runsOf, type Stroke, stepped } from './runsOf.ts';
import { linearScale, type Scale, ticksOf } from './scales.ts';
import { type EventTick, eventTicks, monthAxis, monthTicks } from './timeAxis.ts';

/** A value of the scale with its text; thresholds come before other values where two would touch. */
export type ScaleMark = {
  readonly value: number;
  readonly text: string;
  readonly isThreshold?: boolean;
  readonly isDashed?: boolean;
};

/** Width that the texts of a scale at the left take, with the room to the plot. */
export function scaleWidth(marks: readonly ScaleMark[]): Cpx {
  return Math.max(...marks.map(({ text }) => measureText(text, styles.small))) + 500;
}

/** Level lines over the plot with their texts at the left. */
export function scaleLines(
  marks: readonly ScaleMark[],
  { y, left, right }: { y: Scale; left: Cpx; right: Cpx },
): SceneItem[] {
  const ordered = marks.toSorted(
    (a, b) =>
      Number(b.isDashed ?? false) - Number(a.isDashed ?? false) ||
      Number(b.isThreshold ?? false) - Number(a.isThreshold ?? false) ||
      a.value - b.value,
  );
  const texts = ordered.map(({ value, text, isDashed }) =>
    label({ text, x: left - 500, y: y(value), align: 'end', colour: isDashed ? 'text' : 'quiet' }),
  );
  return [
    ...ordered.map(({ value, isDashed }) =>
      level(
        y(value),
        [left, right],
        isDashed ? { stroke: 'text', dash: [300, 200] } : { stroke: 'line', strokeWidth: 75 },
      ),
    ),
    // one below the other two numbers are distinct at 2 px
    ...keepApart(texts, 200),
  ];
}

/** A scale from zero with at most `most` round marks, whose last printed digit is `least`. */
export function zeroScale(
  values: readonly number[],
  { most, least, text }: { most: number; least: number; text: (value: number) => string },
) {
  const highest = Math.max(0, ...values);
  const ticks = ticksOf({ from: 0, to: highest, most, least });
  const high = Math.max(highest, ticks.at(-1) ?? 1);
  return {
    high,
    marks: ticks.map((value) => ({ value, text: text(value) })),
    scale: (place: { at: Cpx; end: Cpx }) => linearScale({ from: 0, to: high, ...place }),
  };
}

type BarPlot<Row> = {
  readonly rows: readonly Row[];
  /** The highest amount in US dollars. */
  readonly most: number;
  readonly legend: readonly LegendEntry[];
  /** Where the legend begins, if not above the plot. */
  readonly legendLeft?: Cpx;
  /** What stands below a row's bars; of rows whose texts do not fit the first of them, or the last with `isNewestFirst`. */
  readonly text: (row: Row) => string;
  readonly isNewestFirst?: boolean;
  readonly bars: (row: Row, place: { middle: Cpx; pitch: Cpx; y: Scale }) => readonly SceneItem[];
  readonly note: string;
  /** The longest note, whose room is kept. */
  readonly noteRoom?: string;
  readonly width: Cpx;
};

/** Bars of amounts from zero side by side, a legend above them, words below. */
export function barPlot<Row>({ rows, most, legend, text, bars, note, width, ...more }: BarPlot<Row>): Scene {
  // billions are printed from a thousand millions on, both with one decimal
  const least = most > 900_000_000 ? 100_000_000 : 100_000;
  const { marks, high } = zeroScale([most], { most: 5, least, text: usdOrZero });
  const left = scaleWidth(marks);
  const head = legendLines(legend, {
    ...{ left: more.legendLeft ?? left, width, y: 900, step: 1_700, gap: 1_500 },
  });
  const top = head.end + 1_900;
  const bottom = top + plotHeight(width);
  const y = linearScale({ from: 0, to: Math.max(high, 1), at: bottom, end: top });
  const pitch = Math.floor((width - left) / rows.length);
  const middleOf = (i: number): Cpx => left + i * pitch + Math.floor(pitch / 2);
  const texts = rows.map((row, i) => {
    const half = Math.ceil(measureText(text(row), styles.small) / 2);
    const x = Math.min(middleOf(i), width - half);
    return label({ text: text(row), x, baseline: bottom + 1_500, align: 'middle' });
  });
  const words = (said: string) => noteLines(said, { top: bottom + 2_000, width });
  return sceneOf({
    width,
    height: words(more.noteRoom ?? note).bottom + 200,
    items: [
      ...head.items,
      ...scaleLines(marks, { y, left, right: width }),
      ...rows.flatMap((row, i) => bars(row, { middle: middleOf(i), pitch, y })),
      ...keepApart(more.isNewestFirst ? texts.toReversed() : texts),
      ...words(note).items,
    ],
  });
}

const usdOrZero = (value: number): string => (value === 0 ? '0' : usdText(value));

/** Height of a plot that keeps a readable shape at a width. */
export function plotHeight(width: Cpx): Cpx {
  return Math.min(32_000, Math.max(16_000, Math.round(width * 0.26)));
}

/** Where a plot lies, and its two scales. */
type Plot = { readonly x: Scale; readonly y: Scale; readonly left: Cpx; readonly right: Cpx };

/** A line of values by day, and what its end says. */
export type DatedLine = {
  readonly name: string;
  readonly isMain: boolean;
  /** Ascending by date. */
  readonly days: readonly { readonly date: string; readonly value: number | null }[];
  readonly text: (value: number) => string;
  /** Absent for values that are dots alone. */
  readonly paint?: Stroke;
  /** A value holds until the next. */
  readonly isStepped?: boolean;
  /** Its values are joined however far apart: balance sheets. */
  readonly isWhole?: boolean;
  /** A dot on each value, or on the last. */
  readonly dots?: { readonly fill: ColourRole; readonly isLast?: boolean };
};

type DatedPlot = {
  /** From below to above. */
  readonly lines: readonly DatedLine[];
  /** The lines in the order of their names, where that is another one. */
  readonly named?: readonly DatedLine[];
  /** From the lower edge of the plot to the upper. */
  readonly scale: (ends: { at: Cpx; end: Cpx }) => Scale;
  readonly marks: readonly ScaleMark[];
  readonly width: Cpx;
  /** Between a line's end and its name. */
  readonly beside?: Cpx;
  readonly ground?: (plot: Plot) => readonly SceneItem[];
  readonly over?: (plot: Plot) => readonly SceneItem[];
  /** Marked below the months. */
  readonly events?: readonly EventTick[];
  readonly note: string;
};

/** Lines by day over months, their scale at the left, their names and last values at the right, words below. */
export function datedPlot({
  lines,
  named = lines,
  scale,
  marks,
  width,
  events = [],
  note,
  ...more
}: DatedPlot): Scene {
  const { beside = 1_100, ground = () => [], over = () => [] } = more;
  const ends = named.flatMap((line) => endLabelOf(line.days, line));
  const days = lines.flatMap((line) => line.days.map(({ date }) => dayNumber(date)));
  const left = scaleWidth(marks);
  const right = width - endLabelsWidth(ends) - beside - 200;
  const [top, bottom] = [800, 800 + plotHeight(width)];
  const [from, to] = [Math.min(...days), Math.max(...days)];
  const x = linearScale({ from, to, at: left, end: right });
  const y = scale({ at: bottom, end: top });
  const plot = { x, y, left, right };
  const under = eventTicks(events, {
    ...{ x, left, right, width },
    name: 'filed',
    top: bottom + monthAxis.height,
  });
  const words = noteLines(note, { top: under.bottom, width });
  return sceneOf({
    width,
    height: words.bottom + 200,
    items: [
      ...ground(plot),
      ...monthTicks({ from, to, x, top: bottom, bottom, width, start: left - 300 }),
      ...scaleLines(marks, plot),
      ...lines.flatMap((line) => drawnLine(line, plot)),
      ...lines.flatMap((line) => drawnDots(line, plot)),
      ...over(plot),
      ...endLabels(
        ends.map((end) => ({ ...end, y: y(end.at) })),
        { x: right + beside, top, bottom },
      ),
      ...under.items,
      ...words.items,
    ],
  });
}

function drawnLine({ days, paint, isStepped = false, isWhole }: DatedLine, { x, y }: Plot): SceneItem[] {
  if (paint === undefined) return [];
  const values = days.map(({ date, value }) => ({ day: dayNumber(date), value }));
  return runsOf(values, isWhole ? Infinity : undefined).flatMap((run) => {
    const points = run.map(({ day, value }) => ({ x: x(day), y: y(value) }));
    return runLine(isStepped ? stepped(points) : points, paint);
  });
}

function drawnDots({ days, dots }: DatedLine, { x, y }: Plot): SceneItem[] {
  if (dots === undefined) return [];
  const all = days.flatMap(({ date, value }) =>
    value === null
      ? []
      : [circle({ x: x(dayNumber(date)), y: y(value), r: 300 }, { fill: dots.fill, stroke: 'ground' })],
  );
  return dots.isLast ? all.slice(-1) : all;
}
