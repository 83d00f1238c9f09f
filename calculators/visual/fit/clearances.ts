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
  // half a stroke is less than this
  const reach = least + 200;
  // what is no nearer than the nearest so far need not be measured
  const within = edges.map(() => reach);
  const note = (edge: number, other: string, between: Cpx): void => {
    const own = edges[edge];
    const distance = Math.max(0, between - Math.ceil((own?.line.paint.strokeWidth ?? 0) / 2));
    if (own === undefined || distance >= least) return;
    const known = nearest.get(edge);
    if (known !== undefined && distance >= known.distance) return;
    nearest.set(edge, { edge: own.id, other, distance });
    within[edge] = between;
  };
  for (const [index, { ends, segments }] of edges.entries())
    for (const { id, box } of nodes) {
      if (ends.includes(id)) continue;
      for (const segment of segments)
        if (gapBetween(boxOf(segment), box) < (within[index] ?? reach))
          note(index, id, distanceToRect(segment, box));
    }
  for (const [i, a] of placed.entries()) {
    const widest = within.reduce((most, one) => Math.max(most, one), 0);
    for (let j = i + 1; j < placed.length; j++) {
      const b = placed[j];
      if (b === undefined || b.low > a.high + widest) break;
      if (a.edge === b.edge) continue;
      const apart = Math.max(b.low - a.high, gapDown(a.segment, b.segment));
      if (apart >= (within[a.edge] ?? reach) && apart >= (within[b.edge] ?? reach)) continue;
      const distance = facingDistance(a.segment, b.segment);
      const [one, other] = [edges[a.edge], edges[b.edge]];
      if (distance === null || distance >= reach || one === undefined || other === undefined) continue;
      if (sharesPort(one, other)) continue;
      note(a.edge, other.id, distance);
      note(b.edge, one.id, distance);
    }
  }
  return [...nearest.values()];
}

function gapDown(a: Segment, b: Segment): Cpx {
  return Math.max(
    Math.min(a.from.y, a.to.y) - Math.max(b.from.y, b.to.y),
    Math.min(b.from.y, b.to.y) - Math.max(a.from.y, a.to.y),
  );
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
