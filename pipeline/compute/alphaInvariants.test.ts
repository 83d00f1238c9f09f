import { describe, expect, it } from 'vitest';
import { composeGraded } from '../../calculators/composeSlice.ts';
import type { AlphaSignals } from '../../data/contract/payloads/issuer/alphaSignals.ts';
import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { PeerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import {
  goldenContext,
  goldenDate,
  goldenPositions,
  goldenParameters as parameters,
} from '../../fixtures/builders/goldenSlice.ts';
import { releaseGate } from '../families/releaseArtifacts.ts';
import { alphaViolations, boardViolations } from './alphaInvariants.ts';
import { peerRankingViolations, standingViolations, towerViolations } from './standingInvariants.ts';

const slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
const facts = { sourceDate: goldenDate, slice, issuers: [], history: [], parameters };
const entry = slice.board.find(({ row }) => row.ticker === 'KULR');
if (entry === undefined) throw new Error('KULR is a golden issuer');
const { signals, stress } = entry;

describe('the golden slice', () => {
  it('passes the release gate', () => {
    releaseGate({ slice: facts });
  });

  it('is refused with the first broken law and all of them in the details (M15.46)', () => {
    const board = slice.board.map((one) => (one === entry ? { ...one, rawRank: 1 } : one));
    expect(() => releaseGate({ slice: { ...facts, slice: { ...slice, board } } })).toThrow(
      /KULR: M15\.46 the rank delta is another \(and 1 more\)/,
    );
  });
});

describe('one alpha payload', () => {
  const violations = (change: Partial<AlphaSignals>, row: CovenantStress = stress) =>
    alphaViolations({ ...signals, ...change }, { row, parameters });

  it.each<[string, Partial<AlphaSignals>, string[]]>([
    ['as computed', {}, []],
    ['another total', { alpha_score: 79 }, ['M15.37 alpha is not a quarter of its pillars']],
    [
      'another part',
      { regime_fit_breakdown: { ...signals.regime_fit_breakdown, stress_alignment: 99 } },
      ['M15.38 a pillar is not the weighted mean of its parts'],
    ],
    ['another score', { stress_resilience_score: 1 }, ['M15.38 a pillar and its score differ']],
    [
      'other points',
      { debt_cleanliness_breakdown: { coverage: 0, source: 24, quality: 28 } },
      ['M15.38 debt cleanliness is not the sum of its parts'],
    ],
    [
      'missing stress that scores',
      { score_inputs: { ...signals.score_inputs, stress_data_status: 'missing' } },
      ['M15.39 stress is missing and still scores'],
    ],
    ['another class', { treasury_strength: 'weak' }, ['M15.3 the class of the treasury is another']],
    ['another posture', { research_posture: 'stress_watch' }, ['M15.45 a stress watch without stress']],
    [
      'another stress than the row',
      { score_inputs: { ...signals.score_inputs, live_stress_50pct: 0 } },
      ['M0.5 alpha and covenant stress differ'],
    ],
  ])('with %s', (_, change, broken) => {
    expect(violations(change)).toEqual(broken.map((rule) => `KULR: ${rule}`));
  });

  it('with a candidate that is stressed', () => {
    expect(violations({}, { ...stress, live_risk_tier: 'HIGH' })).toEqual([
      'KULR: M15.45 a resilience candidate that is none',
    ]);
  });
});

describe('the board', () => {
  it('is ordered and numbered without gaps (M5.17, M15.46)', () => {
    expect(boardViolations(slice.board)).toEqual([]);
    expect(boardViolations(slice.board.toReversed()).length).toBeGreaterThan(0);
    const ungated = slice.board.map((one) => ({ ...one, failedGate: null }));
    expect(boardViolations(ungated)).toEqual(['CLSK: M15.46 board rank and failed gate disagree']);
  });
});

describe('one row among the others', () => {
  it.each<[string, Partial<CovenantStress>, string[]]>([
    ['as computed', {}, []],
    ['a z beyond the clip', { st_z: 3.6 }, ['M15.26 a z-score is beyond its clip']],
    ['resonance of nothing', { resonance_status: 'Aligned' }, ['M15.28 resonance without market pressure']],
    [
      'stress that rises and does not',
      { live_stress_delta_7d: -0.1 },
      ['M15.30 stress rises without a seven-day change'],
    ],
    ['live members without prices', { uses_live_prices: false }, ['I2.5 a live member without live prices']],
    [
      'an adverse reason that is not',
      { live_risk_tier_reasons: ['adverse_resonance'] },
      ['M3.9 adverse resonance that is not Aligned'],
    ],
  ])('with %s', (_, change, broken) => {
    expect(standingViolations({ ...stress, ...change })).toEqual(broken.map((rule) => `KULR: ${rule}`));
  });
});

describe('the ranks', () => {
  const changed = (change: (row: PeerRanking, i: number) => Partial<PeerRanking>) =>
    slice.peerRankings.map((row, i) => ({ ...row, ...change(row, i) }));

  it('are 1 to n with mid-rank percentiles (M15.34, M15.35)', () => {
    expect(peerRankingViolations(slice.peerRankings)).toEqual([]);
    expect(peerRankingViolations(changed((_, i) => (i === 3 ? { peer_rank: 9 } : {})))).toEqual([
      'FLD: M15.34 rank 9 of 13 at place 4 of 13',
    ]);
    expect(peerRankingViolations(changed((_, i) => (i === 12 ? { percentile: 100 } : {})))).toEqual([
      'LITS: M15.35 percentile 100',
      'LITS: M15.34 percentile and stress disagree',
      expect.stringContaining('M15.35 the mean percentile is 50.88'),
    ]);
  });
});

describe('the tower', () => {
  it('agrees with its coherence and nests its counts (M15.43, M15.44)', () => {
    expect(towerViolations(slice.readiness)).toEqual([]);
    expect(towerViolations({ ...slice.readiness, tower_coherence: 0.5, tower_high_stress_count: 9 })).toEqual(
      [
        'readiness: M15.43 tower status and coherence disagree',
        'readiness: M15.44 the tower counts are not nested',
      ],
    );
    expect(towerViolations({ ...slice.readiness, raw_avg_live_stress_50pct: 0.1 })).toEqual([
      'readiness: M15.44 the raw average is below the capped one',
    ]);
  });
});
