import { around, grown, type Rect } from '../geometry/rect.ts';
import type { SceneItem } from './scene.ts';
import { textBox } from './textBox.ts';

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
