import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Arc, networkSimplex } from './networkSimplex.ts';

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
