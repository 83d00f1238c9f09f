import type { VisualNode } from '../../../data/contract/visual/visualContract.ts';
import type { Cpx } from '../geometry/cpx.ts';
import type { Rect } from '../geometry/rect.ts';
import { paint } from '../scene/pen.ts';
import type { SceneItem } from '../scene/scene.ts';
import { nodePaint } from './drawNode.ts';

const height: Cpx = 300;

/** Below a bar that its label makes wider than it lasts: a strip from its first day to its last (V18). */
export function durationStrip(
  { id, emphasis }: VisualNode,
  { box: { x, y, w, h }, from, to }: { box: Rect; from: Cpx; to: Cpx },
): SceneItem[] {
  if (to - from >= w) return [];
  const box = { x, y: y + h + height, w: Math.max(height, to - from), h: height };
  const fill = nodePaint(emphasis).stroke;
  return [{ type: 'rect', box, radius: 0, paint: paint({ fill }), subject: { of: 'node', id } }];
}
