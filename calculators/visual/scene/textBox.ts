import type { Rect } from '../geometry/rect.ts';
import { faces } from '../type/faces.ts';
import type { TextItem } from './scene.ts';

/** The measured box of a run: its width, from the face's ascent to its descent. */
export function textBox({ x, baseline, width, style }: Omit<TextItem, 'subject' | 'type'>): Rect {
  const { ascent, descent, unitsPerEm } = faces[style.face];
  const up = Math.ceil((ascent * style.size) / unitsPerEm);
  const down = Math.ceil((descent * style.size) / unitsPerEm);
  return { x, y: baseline - up, w: width, h: up + down };
}
