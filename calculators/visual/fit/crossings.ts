import type { Cpx } from '../geometry/rect.ts';
import { crosses, entersRect, type Segment } from '../geometry/segment.ts';
import type { DrawnEdge, DrawnNode } from './drawn.ts';

export type PlacedSegment = {
  readonly edge: number;
  readonly segment: Segment;
  readonly low: Cpx;
  readonly high: Cpx;
};

/** The segments of all edges, from left to right, so that what is far apart is never compared. */
export function fromLeft(edges: readonly Pick<DrawnEdge, 'segments'>[]): PlacedSegment[] {
  return edges
    .flatMap(({ segments }, edge) =>
      segments.map((segment) => ({
        edge,
        segment,
        low: Math.min(segment.from.x, segment.to.x),
        high: Math.max(segment.from.x, segment.to.x),
      })),
    )
    .sort((a, b) => a.low - b.low || a.edge - b.edge);
}

/** Points where the centre lines of two edges properly cross (V25). */
export function crossings(placed: readonly PlacedSegment[]): number {
  let count = 0;
  for (const [i, a] of placed.entries())
    for (let j = i + 1; j < placed.length; j++) {
      const b = placed[j];
      if (b === undefined || b.low > a.high) break;
      if (a.edge !== b.edge && crosses(a.segment, b.segment)) count++;
    }
  return count;
}

/** Pairs of an edge and a node, not its end, whose open inside the edge enters (V26). */
export function edgesThroughNodes(
  edges: readonly DrawnEdge[],
  nodes: readonly DrawnNode[],
): { edge: string; node: string }[] {
  return edges.flatMap(({ id, ends, segments }) =>
    nodes
      .filter((node) => !ends.includes(node.id))
      .filter(({ box }) => segments.some((segment) => entersRect(segment, box)))
      .map((node) => ({ edge: id, node: node.id })),
  );
}
