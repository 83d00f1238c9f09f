import type { Cpx } from '../geometry/cpx.ts';
import { gapBetween, type Rect } from '../geometry/rect.ts';
import type { TextItem } from '../scene/scene.ts';
import { textBox } from '../scene/textBox.ts';

/** Nearer than this two labels read as one. */
const least: Cpx = 600;

/** Of labels by falling importance those that keep 6 px from every more important one and from `taken` (V39). */
export function keepApart(labels: readonly TextItem[], taken: readonly TextItem[] = []): TextItem[] {
  const boxes: Rect[] = taken.map(textBox);
  return labels.filter((candidate) => {
    const box = textBox(candidate);
    const isFree = boxes.every((other) => gapBetween(box, other) >= least);
    if (isFree) boxes.push(box);
    return isFree;
  });
}
