import type { VisualContract } from '../../../../data/contract/visual/visualContract.ts';
import { cleanText } from '../../type/measureText.ts';
import { pointsUp, type Steps } from '../layout.ts';
import type { DownEdge, LayeredInput } from './layeredGraph.ts';
import { networkSimplex } from './networkSimplex.ts';

type RankInput = {
  readonly nodes: readonly Pick<LayeredInput['nodes'][number], 'rank'>[];
  readonly edges: readonly (Pick<LayeredInput['edges'][number], 'from' | 'to' | 'kind'> & {
    readonly label: unknown;
  })[];
};

/** Turns edges down and gives every node its rank (V17, steps 1 and 2). */
export function assignRanks(
  input: RankInput,
  steps: Steps,
): { readonly down: readonly DownEdge[]; readonly ranks: readonly number[] } {
  const down = orientEdges(input);
  const ranks = networkSimplex({
    pins: input.nodes.map(({ rank }) => rank),
    // a label stands in a rank of its own
    arcs: down.map(({ edge, upper, lower }) => ({
      tail: upper,
      head: lower,
      length: input.edges[edge]?.label === null ? 1 : 2,
      weight: 1,
    })),
    steps,
  });
  return { down, ranks };
}

/** How many ranks the edges of a contract pass together: what its layout works on, known before it starts (V70). */
export function passedRanks({ nodes, edges, labels }: VisualContract): number {
  const noted = new Set(labels.filter(({ text }) => cleanText(text) !== '').map(({ anchor }) => anchor));
  const indexOf = new Map(nodes.map(({ id }, index) => [id, index]));
  const { down, ranks } = assignRanks(
    {
      nodes: nodes.map(({ rank = null }) => ({ rank })),
      edges: edges.map(({ id, from, to, kind, label = '' }) => ({
        from: indexOf.get(from) ?? 0,
        to: indexOf.get(to) ?? 0,
        kind,
        label: cleanText(label) === '' && (id === undefined || !noted.has(id)) ? null : label,
      })),
    },
    { taken: 0 },
  );
  return down.reduce(
    (sum, { upper, lower }) => sum + Math.max(0, (ranks[lower] ?? 0) - (ranks[upper] ?? 0) - 1),
    0,
  );
}

/**
 * Turns edges until all run down: those of kind feedback, those whose pinned ranks ask for it, and of each cycle that
 * is left the edge that closes it, depth first in input order (V17).
 */
function orientEdges({ nodes, edges }: RankInput): DownEdge[] {
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
