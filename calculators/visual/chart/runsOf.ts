import type { Point } from '../geometry/segment.ts';
import type { SceneItem } from '../scene/scene.ts';
import type { ColourRole } from '../theme/tokens.ts';
import { circle, rule } from './chartPen.ts';

/** A value of a day; days are day numbers, ascending. */
export type DayValue = { readonly day: number; readonly value: number | null };
export type Known = { readonly day: number; readonly value: number };

/** Slices may be months apart; what lies further apart is not joined. */
const mostDays = 35;

/** Unbroken runs of values: a null or more than `most` days without a point end a run, so that a gap stays a gap (V39). */
export function runsOf(points: readonly DayValue[], most = mostDays): Known[][] {
  const found: Known[][] = [[]];
  let before: number | null = null;
  for (const { day, value } of points) {
    if (before !== null && day - before > most) found.push([]);
    before = day;
    if (value === null) found.push([]);
    else found.at(-1)?.push({ day, value });
  }
  return found.filter((run) => run.length > 0);
}

export type Stroke = {
  readonly stroke: ColourRole;
  readonly strokeWidth: number;
  readonly dash?: readonly number[];
};

/** A run as a line, a single point as a dot. */
export function runLine(points: readonly Point[], { stroke, strokeWidth, dash = [] }: Stroke): SceneItem[] {
  const [only] = points;
  if (only === undefined) return [];
  if (points.length === 1) return [circle({ ...only, r: strokeWidth }, { fill: stroke })];
  return [rule(thinned(points), { stroke, strokeWidth, dash })];
}

/** A run as steps: a value holds until the next. */
export function stepped(points: readonly Point[]): Point[] {
  return points.flatMap((point, i) => {
    const before = points[i - 1];
    if (before === undefined || before.y === point.y) return [point];
    return [{ x: point.x, y: before.y }, point];
  });
}

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

/** The lowest and the highest of values; of many thousands too, which are too many arguments. */
export function endsOf(values: readonly number[]): { readonly low: number; readonly high: number } | null {
  const [first] = values;
  if (first === undefined) return null;
  return values.reduce(
    ({ low, high }, value) => ({ low: Math.min(low, value), high: Math.max(high, value) }),
    { low: first, high: first },
  );
}

/** The first of those with the least value and the first of those with the greatest; null without any. */
export function lowestAndHighest<T>(
  all: readonly T[],
  measure: (one: T) => number,
): { readonly lowest: T; readonly highest: T } | null {
  const [first] = all;
  if (first === undefined) return null;
  return {
    lowest: all.reduce((a, b) => (measure(b) < measure(a) ? b : a), first),
    highest: all.reduce((a, b) => (measure(b) > measure(a) ? b : a), first),
  };
}
