import type { Cpx } from '../geometry/cpx.ts';
import type { SceneItem } from '../scene/scene.ts';
import { measureText } from '../type/measureText.ts';
import { centredOn, label, rule, shortened, styles } from './chartPen.ts';
import { keepApart } from './keepApart.ts';
import type { Scale } from './scales.ts';

export type EventTick = { readonly day: number; readonly text: string };

/**
 * Marks on a line below an axis with their texts, newest first where two would touch; `name` stands left of the line.
 * Nothing without events.
 */
export function eventTicks(
  ticks: readonly EventTick[],
  {
    x,
    name,
    left,
    right,
    top,
    width,
  }: { x: Scale; name: string; left: Cpx; right: Cpx; top: Cpx; width: Cpx },
): { items: SceneItem[]; bottom: Cpx } {
  if (ticks.length === 0) return { items: [], bottom: top };
  const y = top + 800;
  const upright = ({ day }: EventTick): SceneItem =>
    rule(
      [
        { x: x(day), y: y - 500 },
        { x: x(day), y: y + 500 },
      ],
      { stroke: 'text', strokeWidth: 150 },
    );
  const level = rule(
    [
      { x: left, y },
      { x: right, y },
    ],
    { stroke: 'line', strokeWidth: 75 },
  );
  const texts = ticks
    .toSorted((a, b) => b.day - a.day)
    .map(({ day, text: full }) => {
      const text = shortened(full, { most: 8_000, style: styles.small });
      const half = Math.ceil(measureText(text, styles.small) / 2);
      return label({
        text,
        x: Math.min(Math.max(x(day), half), width - half),
        baseline: y + 1_900,
        align: 'middle',
      });
    });
  return {
    items: [
      label({ text: name, x: left - 500, baseline: centredOn(y, styles.small), align: 'end' }),
      level,
      ...ticks.map(upright),
      ...keepApart(texts),
    ],
    bottom: y + 2_300,
  };
}
