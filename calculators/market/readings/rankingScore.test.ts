import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { directionOf, marketState } from './pressureHeadline.ts';
import { rankingScore } from './rankProducts.ts';

const parameters = registryParameters;
const cutOffs = [
  [-3, 0, 'relief'],
  [-0.750001, 34.99998, 'relief'],
  [-0.75, 35, 'balanced'],
  [0, 50, 'balanced'],
  [0.749999, 64.99998, 'balanced'],
  [0.75, 65, 'building'],
  [1.066667, 71.33334, 'building'],
  [1.499999, 79.99998, 'building'],
  [1.5, 80, 'elevated'],
  [2.499999, 99.99998, 'elevated'],
  [2.5, 100, 'extreme'],
  [3.2, 100, 'extreme'],
] as const;

describe('state and score of P (M8.10, M8.17)', () => {
  it.each(cutOffs)('P %d scores %d: %s', (pressure, score, band) => {
    expect(rankingScore(pressure, parameters)).toEqual({ score, band });
    expect(marketState(pressure, parameters)).toBe(band);
  });

  it('agree with the published golden vector wherever it is at hand', (ctx) => {
    const golden = new URL('../../../../shared/spec/golden.json', import.meta.url);
    if (!existsSync(golden)) ctx.skip('../shared/spec/golden.json is not there to compare with');
    type CutOff = { P: number; ranking_score: number; ranking_band: string; state: string };
    const { perps } = JSON.parse(readFileSync(golden, 'utf8')) as {
      perps: { ranking_cutoffs: CutOff[]; pressure: CutOff };
    };
    for (const { P, ranking_score: score, ranking_band: band, state } of [
      ...perps.ranking_cutoffs,
      perps.pressure,
    ]) {
      expect(rankingScore(P, parameters)).toEqual({ score, band });
      expect(marketState(P, parameters)).toBe(state);
    }
  });

  it('score never falls with P, and band and state never disagree (M15.51)', () => {
    const published = fc.integer({ min: -4_000_000, max: 4_000_000 }).map((n) => n / 1e6);
    fc.assert(
      fc.property(published, published, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        expect(rankingScore(low, parameters).score).toBeLessThanOrEqual(rankingScore(high, parameters).score);
        expect(rankingScore(a, parameters).band).toBe(marketState(a, parameters));
      }),
      { numRuns: 1_000 },
    );
  });

  it('without P are insufficient evidence', () => {
    expect(rankingScore(null, parameters)).toEqual({ score: 0, band: 'insufficient_evidence' });
    expect(marketState(null, parameters)).toBe('insufficient_evidence');
  });
});

it.each([
  [0.000001, 'long_crowding'],
  [0, 'long_crowding'],
  [-0.000001, 'short_crowding'],
  [null, 'none'],
])('a carry of %s is %s (M8.10)', (carry, direction) => {
  const groups = { carry, positioning: null, market: null };
  expect(directionOf({ pressure: 0.2, groups })).toBe(direction);
  expect(directionOf({ pressure: null, groups })).toBe('none');
});
