import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  altmanZ,
  areaUnderCurve,
  clusterInterval,
  midRanks,
  permutationTest,
  seededRandom,
} from './discrimination.ts';
import { tierMigration } from './followUp.ts';
import { brierScore } from './ownEvent.ts';

const scored = (...cases: [number, boolean][]) => cases.map(([score, event]) => ({ score, event }));

describe('area under the curve (M12.12)', () => {
  it('counts the pairs in which the event scores higher', () => {
    // 0.9 beats 0.8 and 0.1, 0.7 beats 0.1 only: 3 of 4 pairs
    expect(areaUnderCurve(scored([0.9, true], [0.8, false], [0.7, true], [0.1, false]))).toEqual({
      n: 4,
      events: 2,
      auc: 0.75,
      accuracyRatio: 0.5,
    });
  });

  it('counts a tie as half a pair', () => {
    // 1 ties 1 (½) and beats 0 (1): 1.5 of 2 pairs
    expect(areaUnderCurve(scored([1, true], [1, false], [0, false]))?.auc).toBe(0.75);
    expect(midRanks([3, 1, 3, 2])).toEqual([3.5, 1, 3.5, 2]);
  });

  it('says nothing when everybody or nobody had an event', () => {
    expect(areaUnderCurve(scored([1, true], [2, true]))).toBeNull();
    expect(areaUnderCurve(scored([1, false]))).toBeNull();
    expect(areaUnderCurve([])).toBeNull();
  });

  it('is the same for any increasing function of the score, so for every shock of stress (M12.13)', () => {
    const cases = fc.array(fc.record({ score: fc.integer({ min: 0, max: 900 }), event: fc.boolean() }));
    fc.assert(
      fc.property(cases, (list) => {
        const shocked = list.map((c) => ({ ...c, score: c.score / 1000 / 0.5 }));
        expect(areaUnderCurve(shocked)).toEqual(areaUnderCurve(list));
      }),
    );
  });
});

describe('permutation test by issuer (M12.12)', () => {
  const alone = (...cases: [number, boolean][]) => scored(...cases).map((c) => [c]);

  it('comes near the exact value of a small case and is the same for the same seed', () => {
    const best = alone([4, true], [3, true], [2, false], [1, false]);
    // one of the 6 ways to choose 2 of 4 reaches AUC 1
    const p = permutationTest(best, { permutations: 9999, seed: 7 });
    expect(p).toBe(permutationTest(best, { permutations: 9999, seed: 7 }));
    expect(Math.abs((p ?? 0) - 1 / 6)).toBeLessThan(0.015);
  });

  it('finds nothing surprising in two issuers, however many filings they have', () => {
    const of = (score: number, event: boolean) => Array.from({ length: 20 }, () => ({ score, event }));
    // the two blocks stand in one of 2 orders
    const p = permutationTest([of(4, true), of(1, false)], { permutations: 9999, seed: 7 });
    expect(Math.abs((p ?? 0) - 1 / 2)).toBeLessThan(0.015);
  });

  it('is 1 for the worst order and never 0', () => {
    const worst = alone([1, true], [2, true], [3, false], [4, false]);
    expect(permutationTest(worst, { permutations: 999, seed: 1 })).toBe(1);
    const clear = Array.from({ length: 60 }, (_, i) => [{ score: i, event: i >= 30 }]);
    expect(permutationTest(clear, { permutations: 999, seed: 1 })).toBe(1 / 1000);
    expect(permutationTest(alone([1, false]), { permutations: 9, seed: 1 })).toBeNull();
  });

  it('draws from mulberry32', () => {
    // first two numbers of the published algorithm for seed 1
    const random = seededRandom(1);
    expect([random(), random()]).toEqual([0.6270739405881613, 0.002735721180215478]);
  });
});

describe('Brier score (M12.12)', () => {
  it('is the mean squared distance from what happened, beside the base rate', () => {
    const result = brierScore([
      { probability: 0.9, event: true },
      { probability: 0.2, event: false },
      { probability: 0.5, event: true },
    ]);
    // (0.01 + 0.04 + 0.25) / 3; base rate 2/3: 2/9
    expect(result?.score).toBeCloseTo(0.1, 12);
    expect(result?.ofBaseRate).toBeCloseTo(2 / 9, 12);
    expect(brierScore([])).toBeNull();
  });
});

describe('interval by issuer (M12.12)', () => {
  const rate = (rows: readonly number[]) =>
    rows.length === 0 ? null : rows.reduce((sum, hit) => sum + hit, 0) / rows.length;

  it('of ten issuers with one event is that of a binomial of ten draws', () => {
    // Bin(10, 0.1): P(0) = 34.9 %, P(≤ 2) = 93.0 %, P(≤ 3) = 98.7 %
    const ten = Array.from({ length: 10 }, (_, i) => [i === 0 ? 1 : 0]);
    expect(clusterInterval(ten, rate)).toEqual({ low: 0, high: 0.3 });
  });

  it('of two issuers reaches from the one to the other', () => {
    expect(clusterInterval([[1, 1, 1], [0]], rate)).toEqual({ low: 0, high: 1 });
  });

  it('does not exist for one issuer, or when all are alike', () => {
    expect(clusterInterval([[1, 0, 0, 1]], rate)).toBeNull();
    expect(clusterInterval([[0], [0, 0], [0]], rate)).toBeNull();
  });

  it('is the same when every issuer files everything ten times, and lies between its issuers', () => {
    const issuers = fc.array(fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 4 }), {
      minLength: 2,
      maxLength: 6,
    });
    fc.assert(
      fc.property(issuers, (clusters) => {
        const interval = clusterInterval(clusters, rate);
        const often = clusters.map((rows) => rows.flatMap((row) => Array.from({ length: 10 }, () => row)));
        expect(clusterInterval(often, rate)).toEqual(interval);
        const rates = clusters.map((rows) => rate(rows) ?? 0);
        if (interval === null) return;
        expect(interval.low).toBeGreaterThanOrEqual(Math.min(...rates));
        expect(interval.high).toBeLessThanOrEqual(Math.max(...rates));
      }),
      { numRuns: 20 },
    );
  });
});

describe('Altman Z″ (M12.12 baseline)', () => {
  const sheet = {
    totalAssets: 100,
    currentAssets: 40,
    currentLiabilities: 20,
    retainedEarnings: 10,
    operatingIncome: 5,
    equity: 50,
    totalLiabilities: 50,
  };

  it('weighs the four ratios of a hand-made balance sheet', () => {
    // 6.56·0.2 + 3.26·0.1 + 6.72·0.05 + 1.05·1
    expect(altmanZ(sheet)).toBeCloseTo(3.024, 12);
  });

  it('says nothing without assets or liabilities', () => {
    expect(altmanZ({ ...sheet, totalAssets: 0 })).toBeNull();
    expect(altmanZ({ ...sheet, totalLiabilities: 0 })).toBeNull();
  });
});

describe('tier migration (M12.12)', () => {
  it('counts the move from each filing of an issuer to its next', () => {
    const { tiers, moves } = tierMigration([
      { issuer: 'A', date: '2023-02-16', tier: 'CRITICAL' },
      { issuer: 'A', date: '2022-02-16', tier: 'HIGH' },
      { issuer: 'A', date: '2024-02-15', tier: 'MODERATE' },
      { issuer: 'B', date: '2022-05-01', tier: 'HIGH' },
      { issuer: 'B', date: '2022-08-01', tier: 'HIGH' },
    ]);
    const count = (from: (typeof tiers)[number], to: (typeof tiers)[number]) =>
      moves[tiers.indexOf(from)]?.[tiers.indexOf(to)];
    expect(count('HIGH', 'CRITICAL')).toBe(1);
    expect(count('CRITICAL', 'MODERATE')).toBe(1);
    expect(count('HIGH', 'HIGH')).toBe(1);
    expect(moves.flat().reduce((sum, n) => sum + n, 0)).toBe(3);
  });
});
