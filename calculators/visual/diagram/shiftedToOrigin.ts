import { around, type Rect } from '../geometry/rect.ts';
import type { Layout } from './layout.ts';

/** The same layout with its leftmost and topmost part at 0. */
export function shiftedToOrigin(layout: Layout): Layout {
  const { boxes, routes, lanes, ticks, marks } = layout;
  const extent = extentOf(layout);
  const moved = ({ x, y, w, h }: Rect): Rect => ({ x: x - extent.x, y: y - extent.y, w, h });
  return {
    boxes: boxes.map(moved),
    routes: routes.map(({ points, label }) => ({
      points: points.map(({ x, y }) => ({ x: x - extent.x, y: y - extent.y })),
      label: label === null ? null : moved(label),
    })),
    lanes: lanes.map(([from, to]) => [from - extent.x, to - extent.x] as const),
    ticks: ticks.map(({ at, label }) => ({ at: at - extent.x, label })),
    marks: marks.map(({ node, from, to }) => ({ node, from: from - extent.x, to: to - extent.x })),
  };
}

/**
 * The rectangle around everything a layout places.
 *
 * @param lanesAlong the axis that lanes divide: `y` once a layout was transposed
 */
export function extentOf({ boxes, routes, lanes }: Layout, lanesAlong: 'x' | 'y' = 'x'): Rect {
  const points = routes.flatMap((route) => route.points.map(({ x, y }) => ({ x, y, w: 0, h: 0 })));
  const labels = routes.flatMap(({ label }) => (label === null ? [] : [label]));
  const inner = around([...boxes, ...points, ...labels]) ?? { x: 0, y: 0, w: 0, h: 0 };
  const stretches = lanes.map(([from, to]) =>
    lanesAlong === 'x' ? { ...inner, x: from, w: to - from } : { ...inner, y: from, h: to - from },
  );
  return around([inner, ...stretches]) ?? inner;
}
