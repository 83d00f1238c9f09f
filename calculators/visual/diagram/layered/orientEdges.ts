import type { DownEdge, LayeredInput } from './layeredGraph.ts';
import { pointsUp } from './pointsUp.ts';

/**
 * Turns edges until all run down: those of kind feedback, those whose pinned ranks ask for it, and of each cycle that
 * is left the edge that closes it, depth first in input order (V17).
 */
export function orientEdges({ nodes, edges }: Pick<LayeredInput, 'nodes' | 'edges'>): DownEdge[] {
  const oriented = edges.map(({ from, to, kind }, edge): DownEdge => {
    const turned = pointsUp({ kind, above: nodes[from]?.rank ?? null, below: nodes[to]?.rank ?? null });
    return turned ? { edge, upper: to, lower: from, turned } : { edge, upper: from, lower: to, turned };
  });
  breakCycles(nodes.length, oriented);
  return oriented;
}

type Visit = { readonly node: number; next: number };

function breakCycles(count: number, edges: readonly DownEdge[]): void {
  const leaving: DownEdge[][] = Array.from({ length: count }, () => []);
  for (const edge of edges) leaving[edge.upper]?.push(edge);
  const state: ('open' | 'done' | undefined)[] = [];
  for (let start = 0; start < count; start++) {
    if (state[start] !== undefined) continue;
    state[start] = 'open';
    const path: Visit[] = [{ node: start, next: 0 }];
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const edge = leaving[visit.node]?.[visit.next++];
      if (edge === undefined) {
        state[visit.node] = 'done';
        path.pop();
      } else if (state[edge.lower] === 'open' && edge.upper !== edge.lower) {
        [edge.upper, edge.lower] = [edge.lower, edge.upper];
        edge.turned = !edge.turned;
      } else if (state[edge.lower] === undefined) {
        state[edge.lower] = 'open';
        path.push({ node: edge.lower, next: 0 });
      }
    }
  }
}
