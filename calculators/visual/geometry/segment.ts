import { type Cpx, cornersOf, type Rect } from './rect.ts';

export type Point = { readonly x: Cpx; readonly y: Cpx };
export const pointAt = (x: Cpx, y: Cpx): Point => ({ x, y });
export type Segment = { readonly from: Point; readonly to: Point };

/** Twice the signed area of the triangle: which side of the line from `a` to `b` the point lies on. */
const side = (a: Point, b: Point, p: Point): number =>
  Math.sign((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x));

/** Whether the two cross in one inner point of both; touching and running together are no crossing (V25). */
export function crosses({ from: a, to: b }: Segment, { from: c, to: d }: Segment): boolean {
  if (Math.max(a.x, b.x) < Math.min(c.x, d.x) || Math.max(c.x, d.x) < Math.min(a.x, b.x)) return false;
  if (Math.max(a.y, b.y) < Math.min(c.y, d.y) || Math.max(c.y, d.y) < Math.min(a.y, b.y)) return false;
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/** Whether a part of the segment lies in the open inside of the rectangle (V26). */
export function entersRect({ from: a, to: b }: Segment, { x, y, w, h }: Rect): boolean {
  if (w <= 0 || h <= 0) return false;
  if (Math.max(a.x, b.x) <= x || Math.min(a.x, b.x) >= x + w) return false;
  if (Math.max(a.y, b.y) <= y || Math.min(a.y, b.y) >= y + h) return false;
  if (a.x === b.x || a.y === b.y) return true;
  const corners = cornersOf({ x, y, w, h }).map((corner) => side(a, b, corner));
  return corners.some((value) => value < 0) && corners.some((value) => value > 0);
}

/** Distance between a segment and a rectangle, rounded down; 0 when they meet. */
export function distanceToRect(segment: Segment, rect: Rect): Cpx {
  const { x, y, w, h } = rect;
  const [left, right] = [Math.min(segment.from.x, segment.to.x), Math.max(segment.from.x, segment.to.x)];
  const [top, bottom] = [Math.min(segment.from.y, segment.to.y), Math.max(segment.from.y, segment.to.y)];
  if (left === right || top === bottom) {
    const across = Math.max(0, x - right, left - x - w);
    const down = Math.max(0, y - bottom, top - y - h);
    return Math.floor(Math.sqrt(across * across + down * down));
  }
  if (entersRect(segment, rect)) return 0;
  const corners = cornersOf(rect);
  const edges = corners.map((corner, i) => ({ from: corner, to: corners[(i + 1) % 4] ?? corner }));
  return Math.floor(Math.sqrt(Math.min(...edges.map((edge) => squaredDistance(segment, edge)))));
}

function squaredDistance(a: Segment, b: Segment): number {
  if (crosses(a, b)) return 0;
  return Math.min(
    squaredToPoint(a, b.from),
    squaredToPoint(a, b.to),
    squaredToPoint(b, a.from),
    squaredToPoint(b, a.to),
  );
}

function squaredToPoint({ from, to }: Segment, p: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((p.x - from.x) * dx + (p.y - from.y) * dy) / length;
  const t = Math.max(0, Math.min(1, along));
  const [ex, ey] = [p.x - from.x - t * dx, p.y - from.y - t * dy];
  return ex * ex + ey * ey;
}

/**
 * Distance of two parallel upright or level segments over the stretch where they face each other, 0 when they run
 * together; null when they are not parallel to the same axis or do not face.
 */
export function facingDistance(a: Segment, b: Segment): Cpx | null {
  if (a.from.x === a.to.x && b.from.x === b.to.x)
    return overlapOf(a.from.y, a.to.y, b.from.y, b.to.y) > 0 ? Math.abs(a.from.x - b.from.x) : null;
  if (a.from.y === a.to.y && b.from.y === b.to.y)
    return overlapOf(a.from.x, a.to.x, b.from.x, b.to.x) > 0 ? Math.abs(a.from.y - b.from.y) : null;
  return null;
}

const overlapOf = (a: Cpx, b: Cpx, c: Cpx, d: Cpx): Cpx =>
  Math.min(Math.max(a, b), Math.max(c, d)) - Math.max(Math.min(a, b), Math.min(c, d));

/** The same line without repeated points and without points inside a straight run. */
export function simplified(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
      const before = kept.at(-2);
      const repeats = last.x === point.x && last.y === point.y;
      const straight =
        before !== undefined &&
        ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y));
      if (!repeats && !straight) break;
      kept.pop();
    }
    kept.push(point);
  }
  return kept;
}

/** Its straight parts, in order. */
export function segmentsOf(points: readonly Point[]): Segment[] {
  return points.flatMap((to, i) => {
    const from = points[i - 1];
    return from === undefined || (from.x === to.x && from.y === to.y) ? [] : [{ from, to }];
  });
}

export type PathCommand =
  | { readonly to: 'move' | 'line'; readonly x: Cpx; readonly y: Cpx }
  | { readonly to: 'curve'; readonly cx: Cpx; readonly cy: Cpx; readonly x: Cpx; readonly y: Cpx }
  | {
      readonly to: 'arc';
      readonly rx: Cpx;
      readonly ry: Cpx;
      readonly clockwise: boolean;
      readonly x: Cpx;
      readonly y: Cpx;
    }
  | { readonly to: 'close' };

/** A path along the line whose corners are curves of at most `radius`, and of at most half of the shorter leg. */
export function roundedPath(points: readonly Point[], radius: Cpx): PathCommand[] {
  return points.flatMap((point, i): PathCommand[] => {
    const [before, after] = [points[i - 1], points[i + 1]];
    if (before === undefined) return [{ to: 'move', ...point }];
    if (after === undefined) return [{ to: 'line', ...point }];
    const [incoming, outgoing] = [distance(before, point), distance(point, after)];
    const reach = Math.min(radius, Math.floor(incoming / 2), Math.floor(outgoing / 2));
    const start = towards(point, before, reach, incoming);
    const end = towards(point, after, reach, outgoing);
    return [
      { to: 'line', ...start },
      { to: 'curve', cx: point.x, cy: point.y, ...end },
    ];
  });
}

/** The point `length` away from `from` on the way to `to`, which is `whole` away. */
export function towards(from: Point, to: Point, length: Cpx, whole: number): Point {
  if (whole === 0) return from;
  return {
    x: from.x + Math.round(((to.x - from.x) * length) / whole),
    y: from.y + Math.round(((to.y - from.y) * length) / whole),
  };
}

export function distance(a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  return Math.sqrt(dx * dx + dy * dy);
}
