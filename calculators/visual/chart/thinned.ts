import type { Point } from '../geometry/segment.ts';

/** Half a px, in hundredths. */
const column = 50;

/**
 * The points of a line that can be seen: of each half-pixel column the first, lowest, highest and last, in their order
 * (V41). Points come ascending by x.
 */
export function thinned(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  let [start, lowest, highest] = [0, 0, 0];
  const close = (end: number): void => {
    const indexes = [...new Set([start, lowest, highest, end])].sort((a, b) => a - b);
    for (const index of indexes) {
      const point = points[index];
      if (point !== undefined) kept.push(point);
    }
  };
  for (const [i, point] of points.entries()) {
    if (i > 0 && columnOf(point) !== columnOf(points[start])) {
      close(i - 1);
      [start, lowest, highest] = [i, i, i];
    }
    if (point.y > (points[lowest]?.y ?? point.y)) lowest = i;
    if (point.y < (points[highest]?.y ?? point.y)) highest = i;
  }
  if (points.length > 0) close(points.length - 1);
  return kept;
}

const columnOf = (point: Point | undefined): number => Math.floor((point?.x ?? 0) / column);
