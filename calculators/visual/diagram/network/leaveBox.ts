import type { Rect } from '../../geometry/rect.ts';
import type { Point } from '../../geometry/segment.ts';

/** The line from where it last leaves the box in which it begins; the new first point lies exactly on its border. */
export function leaveBox(points: readonly Point[], { x, y, w, h }: Rect): Point[] {
  const isInside = (p: Point): boolean => x < p.x && p.x < x + w && y < p.y && p.y < y + h;
  const last = points.findLastIndex(isInside);
  const [inside, outside] = [points[last], points[last + 1]];
  if (inside === undefined || outside === undefined) return [...points];
  const [dx, dy] = [outside.x - inside.x, outside.y - inside.y];
  const [edgeX, edgeY] = [dx > 0 ? x + w : x, dy > 0 ? y + h : y];
  // the share of the way to each border; the nearer one is met first
  const [shareX, shareY] = [
    dx === 0 ? Infinity : (edgeX - inside.x) / dx,
    dy === 0 ? Infinity : (edgeY - inside.y) / dy,
  ];
  const border: Point =
    shareX <= shareY
      ? { x: edgeX, y: inside.y + Math.round(dy * shareX) }
      : { x: inside.x + Math.round(dx * shareY), y: edgeY };
  return [border, ...points.slice(last + 1)];
}
