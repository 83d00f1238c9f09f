import { gapBetween, type Rect } from '../geometry/rect.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { itemBox } from './itemBox.ts';
import type { Scene, TextItem } from './scene.ts';
import { textBox } from './textBox.ts';

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
