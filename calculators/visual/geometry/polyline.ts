import type { Cpx } from './cpx.ts';
import type { Point, Segment } from './segment.ts';

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
