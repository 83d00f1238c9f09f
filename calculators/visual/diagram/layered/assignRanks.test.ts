import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visualContract } from '../../../../data/contract/visual/visualContract.ts';
import type { ContractInput } from '../../../../fixtures/visual/pipelineContract.ts';
import { checkContract } from '../checkContract.ts';
import { type Arc, networkSimplex, passedRanks } from './assignRanks.ts';

const contractOf = (
  nodes: number,
  edges: ContractInput['edges'],
  more: Partial<ContractInput> = {},
): ContractInput => ({
  diagram_id: 'ranks',
  diagram_family: 'layered_flow',
  purpose: 'Ranks that edges pass.',
  nodes: Array.from({ length: nodes }, (_, i) => ({ id: `n${i}`, label: `Node ${i}` })),
  edges,
  viewport_policy: { width: 4_096, height: 4_096 },
  accessibility: { title: 'Ranks', description: 'Ranks that edges pass.' },
  fit_policy: {},
  ...more,
});
const chain = (nodes: number) =>
  Array.from({ length: nodes - 1 }, (_, i) => ({ id: `c${i}`, from: `n${i}`, to: `n${i + 1}` }));
const passed = (contract: ContractInput) => passedRanks(visualContract.parse(contract));

describe('ranks that edges pass (V70)', () => {
  it('are those between the ends: none in a chain, one for an edge beside two others', () => {
    expect(passed(contractOf(3, chain(3)))).toBe(0);
    expect(passed(contractOf(3, [...chain(3), { from: 'n0', to: 'n2' }]))).toBe(1);
    expect(passed(contractOf(3, [...chain(3), { from: 'n2', to: 'n0', kind: 'feedback' }]))).toBe(1);
  });

  it('are more where labels stand in ranks of their own, and where nodes are pinned', () => {
    const labelled = chain(3).map((edge) => ({ ...edge, label: 'label' }));
    // ranks 0, 2 and 4
    expect(passed(contractOf(3, [...labelled, { from: 'n0', to: 'n2' }]))).toBe(5);
    const noted = { labels: [{ id: 'l', text: 'note', anchor: 'c0' }] };
    expect(passed(contractOf(3, [...chain(3), { from: 'n0', to: 'n2' }], noted))).toBe(3);
  });

  it('beyond 60,000 are refused before anything is laid out; the same edges without labels are not', () => {
    const long = Array.from({ length: 401 }, (_, i) => ({
      from: `n${i % 50}`,
      to: `n${199 - ((i * 7) % 50)}`,
    }));
    expect(checkContract(contractOf(200, [...chain(200), ...long])).errors).toEqual([]);
    const labelled = [...chain(200), ...long].map((edge) => ({ ...edge, label: 'label' }));
    expect(checkContract(contractOf(200, labelled)).errors).toMatchObject([
      { code: 'too_large', path: '/edges', message: expect.stringMatching(/^The edges pass 1\d{5} ranks/) },
    ]);
  });
});

const cost = (ranks: readonly number[], arcs: readonly Arc[]): number =>
  arcs.reduce((sum, { tail, head, weight }) => sum + weight * ((ranks[head] ?? 0) - (ranks[tail] ?? 0)), 0);
const holds = (ranks: readonly number[], arcs: readonly Arc[]): boolean =>
  arcs.every(({ tail, head, length }) => (ranks[head] ?? 0) - (ranks[tail] ?? 0) >= length);

/** The least cost over all ranks from 0 to `most`. */
function bruteForce(count: number, { arcs, most }: { arcs: readonly Arc[]; most: number }): number {
  let best = Infinity;
  const ranks = new Array<number>(count).fill(0);
  const choose = (at: number): void => {
    if (at === count) {
      if (holds(ranks, arcs)) best = Math.min(best, cost(ranks, arcs));
      return;
    }
    for (let rank = 0; rank <= most; rank++) {
      ranks[at] = rank;
      choose(at + 1);
    }
  };
  choose(0);
  return best;
}

describe('network simplex', () => {
  it('finds the least weighted span of every small graph, as brute force does (V17)', () => {
    const arc = fc.record({
      a: fc.nat(4),
      b: fc.nat(4),
      length: fc.integer({ min: 1, max: 2 }),
      weight: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(arc, { minLength: 1, maxLength: 8, size: 'max' }), (drawn) => {
        const arcs = drawn
          .filter(({ a, b }) => a !== b)
          .map(({ a, b, length, weight }) => ({
            tail: Math.min(a, b),
            head: Math.max(a, b),
            length,
            weight,
          }));
        const ranks = networkSimplex({ pins: [null, null, null, null, null], arcs, steps: { taken: 0 } });
        expect(holds(ranks, arcs)).toBe(true);
        expect(Math.min(...ranks)).toBe(0);
        expect(cost(ranks, arcs)).toBe(bruteForce(5, { arcs, most: 8 }));
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  it('puts a pinned node on its rank, and below it where the arcs force it', () => {
    const arcs = [{ tail: 0, head: 1, length: 1, weight: 1 }];
    const ranks = (pins: (number | null)[]) => networkSimplex({ pins, arcs, steps: { taken: 0 } });
    expect(ranks([null, 4])).toEqual([3, 4]);
    expect(ranks([2, null])).toEqual([2, 3]);
    expect(ranks([2, 2])).toEqual([2, 3]);
  });
});
