import type { Cpx } from '../../geometry/cpx.ts';
import type { LayeredInput, Vertex } from './layeredGraph.ts';

/** Two vertices of a rank, and the least distance of their centres. */
export type SpacingPair = { readonly left: Vertex; readonly right: Vertex; readonly least: Cpx };

/** Every pair that keeps its distance: neighbours, and nodes with edges between them, which bring them no nearer. */
export function spacingPairs(
  layers: readonly (readonly Vertex[])[],
  { node, edge }: LayeredInput['gaps'],
): SpacingPair[] {
  const pairs: SpacingPair[] = [];
  const add = (left: Vertex, right: Vertex): void => {
    const gap = left.node !== null && right.node !== null ? node : edge;
    pairs.push({ left, right, least: Math.ceil(left.w / 2) + Math.ceil(right.w / 2) + gap });
  };
  for (const layer of layers) {
    let lastNode: Vertex | null = null;
    for (const [i, vertex] of layer.entries()) {
      const before = layer[i - 1];
      if (before !== undefined) add(before, vertex);
      if (vertex.node === null) continue;
      if (lastNode !== null && lastNode !== before) add(lastNode, vertex);
      lastNode = vertex;
    }
  }
  return pairs;
}
