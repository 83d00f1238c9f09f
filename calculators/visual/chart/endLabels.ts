import { type Cpx, gapBetween, type Rect } from '../geometry/rect.ts';
import type { SceneItem, TextItem } from '../scene/scene.ts';
import { textBox } from '../scene/textBox.ts';
import { measureText } from '../type/measureText.ts';
import { label, styles } from './chartPen.ts';

export type EndLabel = {
  readonly y: Cpx;
  readonly value: string;
  readonly name: string;
  /** Its value in 600; the others in quiet text. */
  readonly isMain: boolean;
};

/** What the widest of the labels takes beside its lines. */
export function endLabelsWidth(labels: readonly Pick<EndLabel, 'value' | 'name'>[]): Cpx {
  return Math.max(
    ...labels.flatMap(({ value, name }) => [
      measureText(value, styles.strong),
      measureText(name, styles.small),
    ]),
  );
}

const height: Cpx = 3_300;

/**
 * Value and name at the ends of lines, pushed apart where they would overlap, their order kept, between `top` and
 * `bottom`.
 */
export function endLabels(
  labels: readonly EndLabel[],
  { x, top, bottom }: { x: Cpx; top: Cpx; bottom: Cpx },
): SceneItem[] {
  const ordered = labels
    .map((one, index) => ({ ...one, index }))
    .sort((a, b) => a.y - b.y || a.index - b.index);
  const places: Cpx[] = [];
  for (const { y } of ordered) {
    const least = (places.at(-1) ?? top - height / 2) + height;
    places.push(Math.max(y, least));
  }
  // what was pushed below the end moves up again, and what stands over it with it
  let most = bottom - height / 2;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i] ?? most, most);
    most = (places[i] ?? most) - height;
  }
  return ordered.flatMap(({ value, name, isMain }, i) => {
    const middle = places[i] ?? top;
    const style = isMain ? styles.strong : styles.base;
    return [
      label({ text: value, x, baseline: middle - 150, style, colour: isMain ? 'text' : 'quiet' }),
      label({ text: name, x, baseline: middle + 1_450 }),
    ];
  });
}

/** What stands beside a line's end, and the value at which it stands. */
export type LineEnd = Omit<EndLabel, 'y'> & { readonly at: number };

/**
 * The last value of a line with its name, none for a line without values. Where the newest slice has no value, the name
 * says of which day the last one is, and it is not the main one: what stands beside the end is read as of the end (V39).
 */
export function endLabelOf(
  days: readonly { readonly date: string; readonly value: number | null }[],
  { name, isMain, text }: { name: string; isMain: boolean; text: (value: number) => string },
): LineEnd[] {
  const last = days.findLast(({ value }) => value !== null);
  if (last === undefined || last.value === null) return [];
  const isNewest = last === days.at(-1);
  return [
    {
      at: last.value,
      value: text(last.value),
      name: isNewest ? name : `${name} ${last.date}`,
      isMain: isMain && isNewest,
    },
  ];
}

/** Nearer than this two labels beside each other read as one. */
const apart: Cpx = 600;

/** Of labels by falling importance those that keep 6 px, or `least`, from every more important one (V39). */
export function keepApart(labels: readonly TextItem[], least: Cpx = apart): TextItem[] {
  const boxes: Rect[] = [];
  return labels.filter((candidate) => {
    const box = textBox(candidate);
    const isFree = boxes.every((other) => gapBetween(box, other) >= least);
    if (isFree) boxes.push(box);
    return isFree;
  });
}
