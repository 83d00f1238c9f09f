import type { Cpx } from '../geometry/cpx.ts';
import { gapBetween, type Rect } from '../geometry/rect.ts';
import type { TextItem } from '../scene/scene.ts';
import { textBox } from '../scene/textBox.ts';

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
