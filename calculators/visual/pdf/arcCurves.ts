import type { Point } from '../geometry/segment.ts';

/** A cubic curve from where the path stands. */
export type Curve = { readonly first: Point; readonly second: Point; readonly to: Point };

/**
 * An arc of at most half an ellipse, its axes level and upright, as two cubic curves (V3: square roots alone).
 *
 * @param clockwise as seen with y growing downwards
 */
export function arcCurves(
  from: Point,
  { rx, ry, clockwise, to }: { rx: number; ry: number; clockwise: boolean; to: Point },
): readonly Curve[] {
  if (rx === 0 || ry === 0 || (from.x === to.x && from.y === to.y)) return [{ first: from, second: to, to }];
  // on the circle of radius 1
  const [a, b] = [from, to].map(({ x, y }) => ({ x: x / rx, y: y / ry })) as [Point, Point];
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const half = { x: (a.x - b.x) / 2, y: (a.y - b.y) / 2 };
  const square = half.x * half.x + half.y * half.y;
  const away = square >= 1 ? 0 : Math.sqrt((1 - square) / square);
  const turn = clockwise ? 1 : -1;
  const centre = { x: middle.x + turn * away * half.y, y: middle.y - turn * away * half.x };
  const [dx, dy] = [a.x - centre.x, a.y - centre.y];
  const radius = Math.sqrt(dx * dx + dy * dy);
  // the top of the bow lies at right angles to its chord
  const chord = Math.sqrt(square);
  const top = {
    x: centre.x - (turn * radius * half.y) / chord,
    y: centre.y + (turn * radius * half.x) / chord,
  };
  const bend = (p: Point, q: Point): Curve => {
    const [u, v] = [p, q].map(({ x, y }) => ({ x: (x - centre.x) / radius, y: (y - centre.y) / radius })) as [
      Point,
      Point,
    ];
    const cosine = Math.min(1, Math.max(-1, u.x * v.x + u.y * v.y));
    const [sinHalf, cosHalf] = [Math.sqrt((1 - cosine) / 2), Math.sqrt((1 + cosine) / 2)];
    const k = ((4 / 3) * sinHalf * radius * turn) / (1 + cosHalf);
    const scaled = ({ x, y }: Point) => ({ x: x * rx, y: y * ry });
    return {
      first: scaled({ x: p.x - k * u.y, y: p.y + k * u.x }),
      second: scaled({ x: q.x + k * v.y, y: q.y - k * v.x }),
      to: scaled(q),
    };
  };
  return [bend(a, top), bend(top, b)];
}
