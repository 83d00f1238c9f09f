import { around, gapBetween, grown, type Rect } from '../geometry/rect.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { faces } from '../type/faces.ts';
import type { Scene, SceneItem, TextItem } from './scene.ts';

/** The measured box of a run: its width, from the face's ascent to its descent. */
export function textBox({ x, baseline, width, style }: Omit<TextItem, 'subject' | 'type'>): Rect {
  const { ascent, descent, unitsPerEm } = faces[style.face];
  const up = Math.ceil((ascent * style.size) / unitsPerEm);
  const down = Math.ceil((descent * style.size) / unitsPerEm);
  return { x, y: baseline - up, w: width, h: up + down };
}

/** The box of an item, stroke included. */
export function itemBox(item: SceneItem): Rect {
  if (item.type === 'text') return textBox(item);
  const { stroke, strokeWidth } = item.paint;
  return grown(bareBox(item), stroke === null ? 0 : Math.ceil(strokeWidth / 2));
}

function bareBox(item: Exclude<SceneItem, { type: 'text' }>): Rect {
  if (item.type === 'rect' || item.type === 'shape') return item.box;
  const points =
    item.type === 'line'
      ? item.points
      : item.commands.flatMap((command) => (command.to === 'close' ? [] : [command]));
  return around(points.map(({ x, y }) => ({ x, y, w: 0, h: 0 }))) ?? { x: 0, y: 0, w: 0, h: 0 };
}

/** For every run the fill right below it: that of the topmost filled item under its box (V30). */
export function textGrounds({ items }: Scene): { text: TextItem; ground: ColourRole }[] {
  const fills: { box: Rect; fill: ColourRole }[] = [];
  const found: { text: TextItem; ground: ColourRole }[] = [];
  for (const item of items) {
    if (item.type !== 'text') {
      if (item.paint.fill !== null) fills.push({ box: itemBox(item), fill: item.paint.fill });
      continue;
    }
    const box = textBox(item);
    const below = fills.findLast((fill) => gapBetween(fill.box, box) < 0);
    found.push({ text: item, ground: below?.fill ?? 'ground' });
  }
  return found;
}
