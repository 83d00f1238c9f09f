import type { Cpx } from '../geometry/cpx.ts';
import type { SceneItem } from '../scene/scene.ts';
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

/** What the two lines of a label take in height. */
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
