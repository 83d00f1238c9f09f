import { dayNumber, isoDay } from '../../../data/contract/values/instant.ts';
import type { Cpx } from '../geometry/rect.ts';
import type { SceneItem, TextItem } from '../scene/scene.ts';
import { measureText } from '../type/measureText.ts';
import { centredOn, label, level, shortened, styles, upright } from './chartPen.ts';
import { keepApart } from './endLabels.ts';
import type { Scale } from './scales.ts';

const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** From the lower edge of what the axis belongs to down to the baseline of its texts, and what it takes in all. */
export const monthAxis = { baseline: 1_500, height: 2_000 } as const;

type Axis = {
  readonly from: number;
  readonly to: number;
  readonly x: Scale;
  readonly top: Cpx;
  readonly bottom: Cpx;
  readonly width: Cpx;
  /** Where texts may begin: right of a scale whose lowest number stands beside them. */
  readonly start?: Cpx;
};

/**
 * Lines at the starts of months with their names below (`Sep`, in January the year); of longer spans quarters or years
 * alone. A span with fewer than two starts of months has its first and last day instead. Days are day numbers.
 */
export function monthTicks({ from, to, x, top, bottom, width, start = 0 }: Axis): SceneItem[] {
  const baseline = bottom + monthAxis.baseline;
  const named = (day: number, text: string): TextItem => {
    const half = Math.ceil(measureText(text, styles.small) / 2);
    const middle = Math.min(Math.max(x(day), start + half), width - half);
    return label({ text, x: middle, baseline, align: 'middle' });
  };
  const months = startsOfMonths(from, to);
  if (months.length < 2) {
    const ends = from === to ? [from] : [to, from];
    return keepApart(ends.map((day) => named(day, isoDay(day))));
  }
  const steps = [1, 3, 12].map((step) => {
    const starts = months.filter(({ month }) => month % step === 0);
    const texts = starts.map(({ day, month }) => named(day, nameOf(day, month)));
    return { starts, texts, isFree: keepApart(texts).length === texts.length };
  });
  const { starts, texts } = steps.find(({ isFree }) => isFree) ?? steps.at(-1) ?? { starts: [], texts: [] };
  return [
    ...starts.map(({ day }) => upright(x(day), [top, bottom + 300], { stroke: 'line', strokeWidth: 75 })),
    ...keepApart(texts),
  ];
}

const nameOf = (day: number, month: number): string =>
  month === 0 ? isoDay(day).slice(0, 4) : (names[month] ?? '');

function startsOfMonths(from: number, to: number): { day: number; month: number }[] {
  const starts: { day: number; month: number }[] = [];
  let [year = 1970, month = 1] = isoDay(from).split('-').map(Number);
  for (;;) {
    const day = dayNumber(`${year}-${String(month).padStart(2, '0')}-01`);
    if (day > to) return starts;
    if (day >= from) starts.push({ day, month: month - 1 });
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  }
}

/** A mark of an axis: tall with its text, or short without one where `text` is null. */
export type EventTick = { readonly day: number; readonly text: string | null };

type EventLine = { x: Scale; name: string; left: Cpx; right: Cpx; top: Cpx; width: Cpx };

/**
 * Marks on a line below an axis with their texts, newest first where two would touch; `name` stands left of the line.
 * Days without a text have one short mark each. Nothing without events.
 */
export function eventTicks(
  ticks: readonly EventTick[],
  { x, name, left, right, top, width }: EventLine,
): { items: SceneItem[]; bottom: Cpx } {
  if (ticks.length === 0) return { items: [], bottom: top };
  const y = top + 800;
  const named = ticks.flatMap(({ day, text }) => (text === null ? [] : [{ day, text }]));
  const namedDays = new Set(named.map(({ day }) => day));
  const others = [...new Set(ticks.map(({ day }) => day))].filter((day) => !namedDays.has(day));
  const tick = (day: number, isTall: boolean): SceneItem => {
    const half = isTall ? 500 : 200;
    return upright(
      x(day),
      [y - half, y + half],
      isTall ? { stroke: 'text', strokeWidth: 150 } : { stroke: 'quiet', strokeWidth: 75 },
    );
  };
  const base = level(y, [left, right], { stroke: 'line', strokeWidth: 75 });
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
      base,
      ...others.map((day) => tick(day, false)),
      ...[...namedDays].map((day) => tick(day, true)),
      ...keepApart(texts),
    ],
    bottom: y + (named.length === 0 ? 700 : 2_300),
  };
}
