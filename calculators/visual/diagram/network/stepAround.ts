import type { Cpx } from '../../geometry/cpx.ts';
import { distance, segmentsOf } from '../../geometry/polyline.ts';
import { grown, type Rect } from '../../geometry/rect.ts';
import { entersRect, type Point } from '../../geometry/segment.ts';
import type { Steps } from '../layout.ts';

/** Corners that one line may go around. */
const mostCorners = 12;

/**
 * A line from point to point that goes around the boxes in its way, each time by the corner that costs the shortest
 * detour; the straight line where that does not end (V18). The report then says what it runs through.
 */
export function stepAround(
  [from, to]: readonly [Point, Point],
  { obstacles, clearance, steps }: { obstacles: readonly Rect[]; clearance: Cpx; steps: Steps },
): Point[] {
  const path: Point[] = [from, to];
  for (let corners = 0; corners <= mostCorners; corners++) {
    const met = firstMet(path, { obstacles, clearance, steps });
    if (met === null) return path;
    const [before, after] = [path[met.at] ?? from, path[met.at + 1] ?? to];
    const corner = bestCorner({ before, after, path }, { box: met.box, obstacles, clearance });
    if (corner === null) break;
    path.splice(met.at + 1, 0, corner);
  }
  return [from, to];
}

function firstMet(
  path: readonly Point[],
  { obstacles, clearance, steps }: { obstacles: readonly Rect[]; clearance: Cpx; steps: Steps },
): { at: number; box: Rect } | null {
  for (const [at, segment] of segmentsOf(path).entries()) {
    let nearest: { box: Rect; away: number } | null = null;
    for (const box of obstacles) {
      steps.taken++;
      if (!entersRect(segment, grown(box, clearance))) continue;
      const centre = { x: box.x + Math.floor(box.w / 2), y: box.y + Math.floor(box.h / 2) };
      const away = distance(segment.from, centre);
      if (nearest === null || away < nearest.away) nearest = { box, away };
    }
    if (nearest !== null) return { at, box: nearest.box };
  }
  return null;
}

function bestCorner(
  { before, after, path }: { before: Point; after: Point; path: readonly Point[] },
  { box, obstacles, clearance }: { box: Rect; obstacles: readonly Rect[]; clearance: Cpx },
): Point | null {
  const { x, y, w, h } = grown(box, clearance);
  const corners = [
    { x, y },
    { x: x + w, y },
    { x: x + w, y: y + h },
    { x, y: y + h },
  ];
  const blocked = (corner: Point): boolean =>
    obstacles.some((other) => {
      const around = grown(other, clearance);
      return (
        around.x < corner.x &&
        corner.x < around.x + around.w &&
        around.y < corner.y &&
        corner.y < around.y + around.h
      );
    });
  const free = corners
    .filter((corner) => !path.some((point) => point.x === corner.x && point.y === corner.y))
    .filter((corner) => !blocked(corner))
    .map((corner) => ({ corner, cost: distance(before, corner) + distance(corner, after) }))
    .sort((a, b) => a.cost - b.cost || a.corner.x - b.corner.x || a.corner.y - b.corner.y);
  return free[0]?.corner ?? null;
}
