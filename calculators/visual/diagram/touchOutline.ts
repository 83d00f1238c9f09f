import { distance, towards } from '../geometry/polyline.ts';
import type { Rect } from '../geometry/rect.ts';
import type { Point } from '../geometry/segment.ts';
import type { NodeKind } from '../scene/scene.ts';
import { outlineDepth, type Side } from '../scene/shapeGeometry.ts';

/** The line with its first point moved from the node's box in to the node's outline, where they differ. */
export function touchOutline(
  points: readonly Point[],
  { kind, box }: { kind: NodeKind; box: Rect },
): Point[] {
  const [end, next] = [points[0], points[1]];
  const side = end === undefined ? null : sideAt(end, box);
  if (end === undefined || next === undefined || side === null) return [...points];
  const isLevel = side === 'top' || side === 'bottom';
  const depth = outlineDepth(kind, box, { side, at: isLevel ? end.x - box.x : end.y - box.y });
  if (depth === 0) return [...points];
  const whole = distance(next, end);
  const across = isLevel ? Math.abs(end.y - next.y) : Math.abs(end.x - next.x);
  const longer = across === 0 ? 0 : Math.round((depth * whole) / across);
  return [towards(next, end, whole + longer, whole), ...points.slice(1)];
}

function sideAt({ x, y }: Point, box: Rect): Side | null {
  if (y === box.y) return 'top';
  if (y === box.y + box.h) return 'bottom';
  if (x === box.x) return 'left';
  return x === box.x + box.w ? 'right' : null;
}
