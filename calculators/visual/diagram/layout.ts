import type { Cpx } from '../geometry/cpx.ts';
import type { Rect } from '../geometry/rect.ts';
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
