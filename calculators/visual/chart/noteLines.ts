import type { Cpx } from '../geometry/cpx.ts';
import type { TextItem } from '../scene/scene.ts';
import { cleanText } from '../type/cleanText.ts';
import { wrapText } from '../type/wrapText.ts';
import { label, styles } from './chartPen.ts';

const lineHeight: Cpx = 1_600;

/** A note below a chart, wrapped to its width (V39): the first baseline lies a line below `top`. */
export function noteLines(
  text: string,
  { top, width }: { top: Cpx; width: Cpx },
): { items: TextItem[]; bottom: Cpx } {
  const { lines } = wrapText(cleanText(text), { ...styles.small, max: width });
  return {
    items: lines.map((line, i) => label({ text: line, x: 0, baseline: top + 1_300 + i * lineHeight })),
    bottom: top + 300 + lines.length * lineHeight,
  };
}
