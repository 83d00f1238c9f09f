import type { Cpx, Rect } from '../geometry/rect.ts';
import { faces } from '../type/faces.ts';
import { measureText, type TextStyle } from '../type/measureText.ts';
import type { Paint, TextItem } from './scene.ts';

/** A fill and a line; an absent one is not painted. */
export const paint = (given: Partial<Paint>): Paint => ({
  fill: null,
  stroke: null,
  strokeWidth: 100,
  dash: [],
  ...given,
});

/** Height of capital letters, by which a line is centred. */
export function capHeight({ face, size }: TextStyle): Cpx {
  return Math.round((faces[face].capHeight * size) / faces[face].unitsPerEm);
}

/** One line of text whose capitals are centred in the height of `box`, at its start edge or in its middle. */
type Run = Omit<TextItem, 'type' | 'x' | 'baseline' | 'width'> & { readonly align: 'start' | 'middle' };

export function textIn(box: Rect, { align, ...run }: Run): TextItem {
  const width = measureText(run.text, run.style);
  return {
    type: 'text',
    ...run,
    width,
    x: box.x + (align === 'start' ? 0 : Math.floor((box.w - width) / 2)),
    baseline: box.y + Math.floor((box.h + capHeight(run.style)) / 2),
  };
}
