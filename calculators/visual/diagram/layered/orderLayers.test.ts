import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LayeredInput, splitLongEdges } from './layeredGraph.ts';
import { countCrossings, orderLayers } from './orderLayers.ts';

/** A graph of nodes on given ranks, split into links of one rank. */
function graphOf(ranks: readonly number[], pairs: readonly (readonly [number, number])[]) {
  const nodes = ranks.map(() => ({ w: 100, h: 100, rank: null, lane: 0, portInset: 0 }));
  const joined = pairs.filter(([a, b]) => (ranks[a] ?? 0) < (ranks[b] ?? 0));
  const edges: LayeredInput['edges'] = joined.map(([from, to]) => ({ from, to, kind: 'flow', label: null }));
  const down = joined.map(([upper, lower], edge) => ({ edge, upper, lower, turned: false }));
  return splitLongEdges({ nodes, edges }, { down, ranks });
}

describe('the order of the ranks', () => {
  it('is counted as all pairs of links that swap their order', () => {
    const ranks = fc.array(fc.nat(3), { minLength: 2, maxLength: 10, size: 'max' });
    const pairs = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 16, size: 'max' });
    fc.assert(
      fc.property(ranks, pairs, (given, joined) => {
        const graph = graphOf(
          given,
          joined.map(([a, b]) => [a % given.length, b % given.length] as const),
        );
        const steps = { taken: 0 };
        const layers = orderLayers(graph, steps);
        const links = graph.chains.flat();
        let pairwise = 0;
        for (const [i, p] of links.entries())
          for (const q of links.slice(i + 1))
            if (p.upper.rank === q.upper.rank)
              pairwise += Number(
                (p.upper.position - q.upper.position) * (p.lower.position - q.lower.position) < 0,
              );
        expect(countCrossings(layers, steps)).toBe(pairwise);
      }),
      { numRuns: 100, seed: 9 },
    );
  });

  it('unties what can be drawn without crossing', () => {
    // two ladders, given with their second rank reversed
    const graph = graphOf(
      [0, 0, 0, 1, 1, 1],
      [
        [0, 5],
        [1, 4],
        [2, 3],
      ],
    );
    expect(countCrossings(orderLayers(graph, { taken: 0 }), { taken: 0 })).toBe(0);
  });
});
