import { describe, expect, it } from 'vitest';
import { composeGraded } from '../../../calculators/composeSlice.ts';
import { goldenContext, goldenParameters, goldenPositions } from '../../../fixtures/builders/goldenSlice.ts';
import { landingFigures } from './landing.ts';

const parameters = goldenParameters;
const slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
const figures = landingFigures({ slice, parameters });

describe('the figures of the landing page', () => {
  it('count what the risk distribution counts', () => {
    expect(figures.issuer_count).toBe(slice.covenantRows.length);
    expect(figures.critical).toEqual({
      live: slice.riskDistribution.live.CRITICAL.count,
      filing: slice.riskDistribution.filing.CRITICAL.count,
    });
    expect(figures.bands).toEqual({ moderate: 0.5, high: 0.65, critical: 1, covenant: 0.65 });
  });

  it('hold every ranked issuer in the order of rank, with the values of its row', () => {
    expect(figures.ladder.map(({ ticker }) => ticker)).toEqual(slice.topStressed.map(({ ticker }) => ticker));
    const ofRank = (value: number | null | undefined) => value ?? -1;
    expect(figures.ladder.map(({ live_stress_50pct }) => ofRank(live_stress_50pct))).toEqual(
      slice.topStressed.map(({ live_stress_50pct }) => ofRank(live_stress_50pct)),
    );
  });

  it('name Strategy as the example while the slice has it, else the most stressed, else none', () => {
    expect(figures.example_ticker).toBe('MSTR');
    const without = slice.covenantRows.filter(({ ticker }) => ticker !== 'MSTR');
    const topStressed = slice.topStressed.filter(({ ticker }) => ticker !== 'MSTR');
    const other = landingFigures({ slice: { ...slice, covenantRows: without, topStressed }, parameters });
    expect(other.example_ticker).toBe(topStressed[0]?.ticker);
    const empty = landingFigures({ slice: { ...slice, covenantRows: [], topStressed: [] }, parameters });
    expect(empty).toMatchObject({ example_ticker: null, ladder: [], critical: { live: null } });
  });
});
