import type { VisualContract, VisualEdge } from '../../../data/contract/visual/visualContract.ts';
import { around, type Cpx, type Rect } from '../geometry/rect.ts';
import type { Point } from '../geometry/segment.ts';

/** Counts inner comparisons, so that work is bounded without a clock (V67). */
export type Steps = { taken: number };

export type Size = { readonly w: Cpx; readonly h: Cpx };

/** Least distances that a layout keeps. */
export type Gaps = { readonly node: Cpx; readonly edge: Cpx; readonly rank: Cpx };

export type Route = {
  /** The centre line from node to node. */
  readonly points: readonly Point[];
  readonly label: Rect | null;
};

/** Where everything lies, from 0 on; boxes and routes by the index of their node and edge. */
export type Layout = {
  readonly boxes: readonly Rect[];
  readonly routes: readonly Route[];
  /** Stretches of the lanes across the main direction; empty without lanes. */
  readonly lanes: readonly (readonly [Cpx, Cpx])[];
  /** Days that the axis of a timeline names. */
  readonly ticks: readonly { readonly at: Cpx; readonly label: string }[];
  /** How long the nodes of a timeline last, by index of the node. */
  readonly marks: readonly { readonly node: number; readonly from: Cpx; readonly to: Cpx }[];
};

/** The same layout elsewhere. */
export function movedBy({ boxes, routes, lanes, ticks, marks }: Layout, { x: dx, y: dy }: Point): Layout {
  const moved = ({ x, y, w, h }: Rect): Rect => ({ x: x + dx, y: y + dy, w, h });
  return {
    boxes: boxes.map(moved),
    routes: routes.map(({ points, label }) => ({
      points: points.map(({ x, y }) => ({ x: x + dx, y: y + dy })),
      label: label === null ? null : moved(label),
    })),
    lanes: lanes.map(([from, to]) => [from + dx, to + dx] as const),
    ticks: ticks.map(({ at, label }) => ({ at: at + dx, label })),
    marks: marks.map(({ node, from, to }) => ({ node, from: from + dx, to: to + dx })),
  };
}

/** The same layout with its leftmost and topmost part at 0. */
export function shiftedToOrigin(layout: Layout): Layout {
  const { x, y } = extentOf(layout);
  return movedBy(layout, { x: -x, y: -y });
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

/** The layout with its axes swapped. */
export function transposed({ boxes, routes, ...across }: Layout): Layout {
  return {
    ...across,
    boxes: boxes.map(swapped),
    routes: routes.map(({ points, label }) => ({
      points: points.map(({ x, y }) => ({ x: y, y: x })),
      label: label === null ? null : swapped(label),
    })),
  };
}

const swapped = ({ x, y, w, h }: Rect): Rect => ({ x: y, y: x, w: h, h: w });

type EdgeRanks = {
  readonly kind: VisualEdge['kind'];
  readonly above: number | null;
  readonly below: number | null;
};

/** Whether an edge runs against the ranks: the pinned ranks of its ends decide, else its kind (V17). */
export function pointsUp({ kind, above, below }: EdgeRanks): boolean {
  if (above !== null && below !== null && above !== below) return above > below;
  return kind === 'feedback';
}

/** The ends of all edges as indexes of their nodes. */
export function edgeEnds({ nodes, edges }: VisualContract): (readonly [from: number, to: number])[] {
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  return edges.map(({ from, to }) => [indexOf.get(from) ?? 0, indexOf.get(to) ?? 0]);
}
