import type { VisualEdge } from '../../../../data/contract/visual/visualContract.ts';
import type { Cpx } from '../../geometry/cpx.ts';
import type { Gaps, Size } from '../layout.ts';

/** Input of the layered engine; the main direction is down. Ends of edges are indexes of nodes. */
export type LayeredInput = {
  readonly nodes: readonly (Size & {
    readonly rank: number | null;
    readonly lane: number;
    /** How far from its corners edges may begin. */
    readonly portInset: Cpx;
  })[];
  readonly edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly kind: VisualEdge['kind'];
    readonly label: Size | null;
  }[];
  readonly gaps: Gaps;
  /** The least widths of the lanes; empty without lanes. */
  readonly lanes: readonly Cpx[];
  /** Space between a lane's border and what lies in it. */
  readonly laneInset: Cpx;
};

/** A node, or the place where a long edge passes a rank. */
export type Vertex = {
  readonly index: number;
  /** Index of the node; null where an edge passes. */
  readonly node: number | null;
  /** Whether the label of the edge stands here. */
  readonly holdsLabel: boolean;
  readonly w: Cpx;
  readonly h: Cpx;
  readonly portInset: Cpx;
  readonly rank: number;
  readonly lane: number;
  readonly incoming: Link[];
  readonly outgoing: Link[];
  /** Place in its rank. */
  position: number;
  /** Centre across the main direction. */
  x: Cpx;
};

/** A piece of an edge between neighbouring ranks; ports are offsets from the centres of its ends. */
export type Link = {
  readonly edge: number;
  readonly upper: Vertex;
  readonly lower: Vertex;
  upperPort: Cpx;
  lowerPort: Cpx;
};

/** An edge that runs down, whichever way it points. */
export type DownEdge = {
  readonly edge: number;
  upper: number;
  lower: number;
  /** Whether it points up. */
  turned: boolean;
};
