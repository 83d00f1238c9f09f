import type { Rect } from '../geometry/rect.ts';
import type { Layout } from './layout.ts';

/** The layout with its axes swapped. */
export function transposed({ boxes, routes, lanes, ticks, marks }: Layout): Layout {
  return {
    boxes: boxes.map(swapped),
    routes: routes.map(({ points, label }) => ({
      points: points.map(({ x, y }) => ({ x: y, y: x })),
      label: label === null ? null : swapped(label),
    })),
    lanes,
    ticks,
    marks,
  };
}

const swapped = ({ x, y, w, h }: Rect): Rect => ({ x: y, y: x, w: h, h: w });
