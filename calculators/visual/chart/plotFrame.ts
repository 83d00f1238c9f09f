import type { Cpx } from '../geometry/rect.ts';
import type { SceneItem } from '../scene/scene.ts';
import { measureText } from '../type/measureText.ts';
import { centredOn, label, rule, styles } from './chartPen.ts';
import { keepApart } from './endLabels.ts';
import type { Scale } from './scales.ts';

/** A value of the scale with its text; thresholds come before other values where two would touch. */
export type ScaleMark = {
  readonly value: number;
  readonly text: string;
  readonly isThreshold: boolean;
  readonly isDashed: boolean;
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
      Number(b.isDashed) - Number(a.isDashed) ||
      Number(b.isThreshold) - Number(a.isThreshold) ||
      a.value - b.value,
  );
  const texts = ordered.map(({ value, text, isDashed }) =>
    label({
      text,
      x: left - 500,
      baseline: centredOn(y(value), styles.small),
      align: 'end',
      colour: isDashed ? 'text' : 'quiet',
    }),
  );
  return [
    ...ordered.map(({ value, isDashed }) =>
      rule(
        [
          { x: left, y: y(value) },
          { x: right, y: y(value) },
        ],
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
