import { segmentsOf } from '../geometry/polyline.ts';
import { gapBetween, grown, type Rect } from '../geometry/rect.ts';
import { entersRect, type Segment } from '../geometry/segment.ts';
import type { EdgeLabel } from './edgeLabels.ts';
import type { Route, Steps } from './layout.ts';

/** Space between a label and what it must not touch. */
const space = 200;
/** Places along a segment, nearest to its middle first, in sixteenths. */
const places = [8, 6, 10, 4, 12, 3, 13];

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
  const segments = routes.map(({ points }) => segmentsOf(points));
  const taken: Rect[] = [];
  return routes.map(({ points }, edge) => {
    const label = labels[edge] ?? null;
    if (label === null) return { points, label: null, isClear: true };
    let best: { box: Rect; cost: number } | null = null;
    for (const centre of candidates(segments[edge] ?? [])) {
      const box = {
        x: centre.x - Math.floor(label.w / 2),
        y: centre.y - Math.floor(label.h / 2),
        w: label.w,
        h: label.h,
      };
      const cost = costOf(grown(box, space), { edge, segments, boxes, taken, steps });
      if (best === null || cost < best.cost) best = { box, cost };
      if (cost === 0) break;
    }
    if (best === null) return { points, label: null, isClear: false };
    taken.push(best.box);
    return { points, label: best.box, isClear: best.cost < solid };
  });
}

function candidates(segments: readonly Segment[]) {
  const length = ({ from, to }: Segment) => Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
  return segments
    .toSorted((a, b) => length(b) - length(a))
    .flatMap(({ from, to }) =>
      places.map((place) => ({
        x: from.x + Math.floor(((to.x - from.x) * place) / 16),
        y: from.y + Math.floor(((to.y - from.y) * place) / 16),
      })),
    );
}

type Around = {
  readonly edge: number;
  readonly segments: readonly (readonly Segment[])[];
  readonly boxes: readonly Rect[];
  readonly taken: readonly Rect[];
  readonly steps: Steps;
};

function costOf(box: Rect, { edge, segments, boxes, taken, steps }: Around): number {
  steps.taken += boxes.length + taken.length + segments.length;
  let cost = 0;
  for (const other of boxes) if (gapBetween(box, other) < 0) cost += solid;
  for (const other of taken) if (gapBetween(box, other) < 0) cost += solid;
  for (const [index, parts] of segments.entries())
    if (index !== edge && parts.some((part) => entersRect(part, box))) cost += 1;
  return cost;
}
