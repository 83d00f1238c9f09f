import type { Cpx } from '../geometry/cpx.ts';
import type { TextItem } from '../scene/scene.ts';
import { measureText } from '../type/measureText.ts';
import { label, shortened, styles } from './chartPen.ts';
import { keepApart } from './keepApart.ts';
import type { Scale } from './scales.ts';

/** Texts centred below their days, newest first where two would touch. */
export function tickTexts(
  ticks: readonly { readonly day: number; readonly text: string }[],
  { x, baseline, width }: { x: Scale; baseline: Cpx; width: Cpx },
): TextItem[] {
  const newestFirst = ticks.toSorted((a, b) => b.day - a.day);
  return keepApart(
    newestFirst.map(({ day, text: full }) => {
      const text = shortened(full, { most: 8_000, style: styles.small });
      const half = Math.ceil(measureText(text, styles.small) / 2);
      return label({ text, x: Math.min(Math.max(x(day), half), width - half), baseline, align: 'middle' });
    }),
  );
}
