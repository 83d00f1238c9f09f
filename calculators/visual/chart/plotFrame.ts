import type { Cpx } from '../geometry/rect.ts';
import type { Scene, SceneItem } from '../scene/scene.ts';
import { measureText } from '../type/measureText.ts';
import { noteLines, sceneOf } from './chart.ts';
import { label, level, styles } from './chartPen.ts';
import { endLabels, endLabelsWidth, keepApart, type LineEnd } from './endLabels.ts';
import { linearScale, type Scale } from './scales.ts';
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

/** Height of a plot that keeps a readable shape at a width. */
export function plotHeight(width: Cpx): Cpx {
  return Math.min(32_000, Math.max(16_000, Math.round(width * 0.26)));
}

/** Where a plot lies, and its two scales. */
type Plot = { readonly x: Scale; readonly y: Scale; readonly left: Cpx; readonly right: Cpx };

/** Lines by day over months, their scale at the left, their names and last values at the right, words below. */
export function datedPlot({
  days,
  scale,
  marks,
  ends,
  width,
  beside = 1_100,
  ground = () => [],
  lines,
  events = [],
  note,
}: {
  days: readonly number[];
  /** From the lower edge of the plot to the upper. */
  scale: (ends: { at: Cpx; end: Cpx }) => Scale;
  marks: readonly ScaleMark[];
  ends: readonly LineEnd[];
  width: Cpx;
  /** Between a line's end and its name. */
  beside?: Cpx;
  ground?: (plot: Plot) => readonly SceneItem[];
  lines: (plot: Plot) => readonly SceneItem[];
  /** Marked below the months. */
  events?: readonly EventTick[];
  note: string;
}): Scene {
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
      ...lines(plot),
      ...endLabels(
        ends.map((end) => ({ ...end, y: y(end.at) })),
        { x: right + beside, top, bottom },
      ),
      ...under.items,
      ...words.items,
    ],
  });
}
