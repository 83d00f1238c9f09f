import type { Cpx } from '../geometry/cpx.ts';
import { gapBetween, grown, type Rect } from '../geometry/rect.ts';
import { distanceToRect, facingDistance, type Point, type Segment } from '../geometry/segment.ts';
import type { PlacedSegment } from './crossings.ts';
import type { DrawnEdge, DrawnNode } from './drawn.ts';

export type Clearance = { readonly edge: string; readonly other: string; readonly distance: Cpx };

/**
 * For each edge the nearest thing it keeps less than `least` from: a node that is not its end, or a parallel facing
 * part of an edge with other ports; less half a stroke (V27).
 */
export function clearances(
  edges: readonly DrawnEdge[],
  { nodes, placed, least }: { nodes: readonly DrawnNode[]; placed: readonly PlacedSegment[]; least: Cpx },
): Clearance[] {
  const nearest = new Map<number, Clearance>();
  const note = (edge: number, other: string, between: Cpx): void => {
    const own = edges[edge];
    const distance = Math.max(0, between - Math.ceil((own?.line.paint.strokeWidth ?? 0) / 2));
    if (own === undefined || distance >= least) return;
    const known = nearest.get(edge);
    if (known === undefined || distance < known.distance)
      nearest.set(edge, { edge: own.id, other, distance });
  };
  // half a stroke is less than this
  const reach = least + 200;
  for (const [index, { ends, segments }] of edges.entries())
    for (const { id, box } of nodes) {
      if (ends.includes(id)) continue;
      for (const segment of segments)
        if (gapBetween(boxOf(segment), box) < reach) note(index, id, distanceToRect(segment, box));
    }
  for (const [i, a] of placed.entries())
    for (let j = i + 1; j < placed.length; j++) {
      const b = placed[j];
      if (b === undefined || b.low > a.high + reach) break;
      if (a.edge === b.edge) continue;
      const distance = facingDistance(a.segment, b.segment);
      const [one, other] = [edges[a.edge], edges[b.edge]];
      if (distance === null || distance >= reach || one === undefined || other === undefined) continue;
      if (sharesPort(one, other)) continue;
      note(a.edge, other.id, distance);
      note(b.edge, one.id, distance);
    }
  return [...nearest.values()];
}

const boxOf = ({ from, to }: Segment): Rect =>
  grown(
    {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      w: Math.abs(from.x - to.x),
      h: Math.abs(from.y - to.y),
    },
    0,
  );

function sharesPort(a: DrawnEdge, b: DrawnEdge): boolean {
  const ports = ({ line: { points } }: DrawnEdge): (Point | undefined)[] => [points[0], points.at(-1)];
  return ports(a).some((p) => ports(b).some((q) => p !== undefined && p.x === q?.x && p.y === q.y));
}
