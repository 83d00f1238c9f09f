import type { Cpx } from '../geometry/cpx.ts';
import type { SceneItem } from '../scene/scene.ts';
import { measureText } from '../type/measureText.ts';
import { centredOn, label, rule, shortened, styles } from './chartPen.ts';
import { keepApart } from './keepApart.ts';
import type { Scale } from './scales.ts';

/** A mark of an axis: tall with its text, or short without one where `text` is null. */
export type EventTick = { readonly day: number; readonly text: string | null };

/**
 * Marks on a line below an axis with their texts, newest first where two would touch; `name` stands left of the line.
 * Days without a text have one short mark each. Nothing without events.
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
  const named = ticks.flatMap(({ day, text }) => (text === null ? [] : [{ day, text }]));
  const namedDays = new Set(named.map(({ day }) => day));
  const others = [...new Set(ticks.map(({ day }) => day))].filter((day) => !namedDays.has(day));
  const upright = (day: number, isTall: boolean): SceneItem => {
    const half = isTall ? 500 : 200;
    return rule(
      [
        { x: x(day), y: y - half },
        { x: x(day), y: y + half },
      ],
      isTall ? { stroke: 'text', strokeWidth: 150 } : { stroke: 'quiet', strokeWidth: 75 },
    );
  };
  const level = rule(
    [
      { x: left, y },
      { x: right, y },
    ],
    { stroke: 'line', strokeWidth: 75 },
  );
  const texts = named
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
      ...others.map((day) => upright(day, false)),
      ...[...namedDays].map((day) => upright(day, true)),
      ...keepApart(texts),
    ],
    bottom: y + (named.length === 0 ? 700 : 2_300),
  };
}
