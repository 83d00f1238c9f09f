import { around, gapBetween, grown, type Rect } from '../geometry/rect.ts';
import { entersRect, type Point, type Segment, segmentsOf } from '../geometry/segment.ts';
import type { Route, Steps } from './layout.ts';
import type { EdgeLabel } from './nodeBoxes.ts';

const space = 200;
const places = [8, 6, 10, 4, 12, 3, 13];

const triedParts = 4;
/** Steps after which a label takes the first place (V67). */
const budget = 2_000_000;
/** A node or a label in the way weighs this; lines, which a label may cover, weigh one. */
const solid = 100;

/** A route, and whether its label meets neither node nor label. */
type PlacedLabel = Route & { readonly isClear: boolean };

/**
 * Sets each label on its own edge: the first place, on its longest part first, that meets no node, no other edge and
 * no label; where there is none, the place that meets least. The fit report says what is left.
 */
export function placeLabels(
  routes: readonly Route[],
  { labels, boxes, steps }: { labels: readonly EdgeLabel[]; boxes: readonly Rect[]; steps: Steps },
): PlacedLabel[] {
  const end = steps.taken + budget;
  const lines = routes.map(({ points }) => ({
    parts: segmentsOf(points),
    extent: around(points.map(({ x, y }) => ({ x, y, w: 0, h: 0 }))),
  }));
  const taken: Rect[] = [];
  return routes.map(({ points }, edge) => {
    const label = labels[edge] ?? null;
    if (label === null) return { points, label: null, isClear: true };
    let best: { box: Rect; cost: number } | null = null;
    for (const centre of candidates(lines[edge]?.parts ?? [])) {
      const box = {
        x: centre.x - Math.floor(label.w / 2),
        y: centre.y - Math.floor(label.h / 2),
        w: label.w,
        h: label.h,
      };
      const cost = costOf(grown(box, space), {
        edge,
        lines,
        solids: [boxes, taken],
        most: best?.cost ?? Infinity,
        steps,
      });
      if (best === null || cost < best.cost) best = { box, cost };
      if (cost === 0 || steps.taken > end) break;
    }
    if (best === null) return { points, label: null, isClear: false };
    taken.push(best.box);
    return { points, label: best.box, isClear: best.cost < solid };
  });
}

function candidates(parts: readonly Segment[]): Point[] {
  const length = ({ from, to }: Segment) => Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
  return parts
    .toSorted((a, b) => length(b) - length(a))
    .slice(0, triedParts)
    .flatMap(({ from, to }) =>
      places.map((place) => ({
        x: from.x + Math.floor(((to.x - from.x) * place) / 16),
        y: from.y + Math.floor(((to.y - from.y) * place) / 16),
      })),
    );
}

type Around = {
  readonly edge: number;
  readonly lines: readonly { readonly parts: readonly Segment[]; readonly extent: Rect | null }[];
  readonly solids: readonly (readonly Rect[])[];
  /** A cost from which on the place is no better than another. */
  readonly most: number;
  readonly steps: Steps;
};

function costOf(box: Rect, { edge, lines, solids, most, steps }: Around): number {
  let cost = 0;
  for (const rects of solids) {
    steps.taken += rects.length;
    for (const other of rects) if (gapBetween(box, other) < 0) cost += solid;
    if (cost >= most) return cost;
  }
  steps.taken += lines.length;
  for (const [index, { parts, extent }] of lines.entries()) {
    if (index === edge || extent === null || gapBetween(box, extent) >= 0) continue;
    steps.taken += parts.length;
    if (parts.some((part) => entersRect(part, box))) cost += 1;
  }
  return cost;
}
