import type { Cpx } from '../geometry/cpx.ts';
import { gapBetween } from '../geometry/rect.ts';
import type { DrawnNode } from './drawn.ts';

export type NodePair = { readonly ids: readonly [string, string]; readonly gap: Cpx };

/** The gaps of all pairs of node boxes: the smallest, and the pairs nearer than `least` (V23). */
export function overlaps(
  nodes: readonly DrawnNode[],
  least: Cpx,
): { smallest: Cpx | null; close: NodePair[] } {
  let smallest: Cpx | null = null;
  const close: NodePair[] = [];
  for (const [i, a] of nodes.entries())
    for (let j = i + 1; j < nodes.length; j++) {
      const b = nodes[j];
      if (b === undefined) continue;
      const gap = gapBetween(a.box, b.box);
      if (smallest === null || gap < smallest) smallest = gap;
      if (gap < least) close.push({ ids: [a.id, b.id], gap });
    }
  return { smallest, close };
}
