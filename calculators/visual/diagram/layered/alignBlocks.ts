import type { Cpx } from '../../geometry/cpx.ts';
import type { Steps } from '../layout.ts';
import type { Link, Vertex } from './layeredGraph.ts';

/** Vertices that share an x: for each its block's first vertex, and its offset from it; by vertex index. */
export type Blocks = { readonly root: Int32Array; readonly offset: Int32Array };

type Direction = { readonly down: boolean; readonly left: boolean };

/** The four ways to align: each rank with the one above or below, from the left or the right. */
export const directions: readonly Direction[] = [
  { down: true, left: true },
  { down: true, left: false },
  { down: false, left: true },
  { down: false, left: false },
];

/**
 * Aligns every vertex with a median neighbour so that the ports of their link lie one above the other, after Brandes
 * and Köpf (2002): long edges stay straight, and no aligned links cross.
 */
export function alignBlocks(
  layers: readonly (readonly Vertex[])[],
  {
    down,
    left,
    conflicts,
    steps,
  }: Direction & { readonly conflicts: ReadonlySet<Link>; readonly steps: Steps },
): Blocks {
  let count = 0;
  for (const layer of layers) count += layer.length;
  const root = Int32Array.from({ length: count }, (_, index) => index);
  const offset = new Int32Array(count);
  const taken = new Uint8Array(count);
  for (const layer of down ? layers : layers.toReversed()) {
    let bound = left ? -1 : Infinity;
    for (const vertex of left ? layer : layer.toReversed()) {
      for (const link of medianLinks(vertex, { down, left })) {
        steps.taken++;
        const other = down ? link.upper : link.lower;
        if (conflicts.has(link) || other.lane !== vertex.lane || taken[other.index] === 1) continue;
        if (left ? other.position <= bound : other.position >= bound) continue;
        root[vertex.index] = root[other.index] ?? other.index;
        const shift = down ? link.upperPort - link.lowerPort : link.lowerPort - link.upperPort;
        offset[vertex.index] = (offset[other.index] ?? 0) + shift;
        taken[other.index] = 1;
        bound = other.position;
        break;
      }
    }
  }
  return { root, offset };
}

function medianLinks(vertex: Vertex, { down, left }: Direction): Link[] {
  const links = down
    ? vertex.incoming.toSorted((a, b) => a.upper.position - b.upper.position || a.upperPort - b.upperPort)
    : vertex.outgoing.toSorted((a, b) => a.lower.position - b.lower.position || a.lowerPort - b.lowerPort);
  const middle = (links.length - 1) / 2;
  const medians = links.slice(Math.max(0, Math.floor(middle)), Math.ceil(middle) + 1);
  return left ? medians : medians.reverse();
}

/** Links that cross an inner part of a long edge: they give way, so that long edges stay straight. */
export function conflictsOf(layers: readonly (readonly Vertex[])[], steps: Steps): Set<Link> {
  const conflicts = new Set<Link>();
  for (const layer of layers.slice(1)) {
    let low: Cpx = -1;
    let waiting: Vertex[] = [];
    const close = (high: number): void => {
      for (const { incoming } of waiting)
        for (const link of incoming) {
          steps.taken++;
          const at = link.upper.position;
          if ((at < low || at > high) && !isInner(link)) conflicts.add(link);
        }
      waiting = [];
    };
    for (const vertex of layer) {
      waiting.push(vertex);
      const inner = vertex.incoming.find(isInner);
      if (inner === undefined) continue;
      close(inner.upper.position);
      low = inner.upper.position;
    }
    close(Infinity);
  }
  return conflicts;
}

const isInner = ({ upper, lower }: Link): boolean => upper.node === null && lower.node === null;
