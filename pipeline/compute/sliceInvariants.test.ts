import { describe, expect, it } from 'vitest';
import { type CovenantStress, covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { readiness as payload } from '../../data/contract/payloads/universe/readiness.ts';
import { riskDistribution } from '../../data/contract/payloads/universe/riskDistribution.ts';
import { type TopStressedRow, topStressedRow } from '../../data/contract/payloads/universe/topStressed.ts';
import {
  distributionViolations,
  rankedCountViolations,
  readinessCountViolations,
} from './countInvariants.ts';
import { covenantViolations, rankingViolations, screenViolations } from './sliceInvariants.ts';

const sound: CovenantStress = covenantStress.schema.parse({
  ...covenantStress.example,
  total_long_term_debt: 8_173_903_000,
  current_debt: 0,
  noncurrent_debt: 8_173_903_000,
  total_crypto_fair_value: 73_205_725_000,
  stress_30pct: 0.159509,
  stress_50pct: 0.223313,
  stress_70pct: 0.372188,
  covenant_headroom_50pct: 0.656442,
  reference_covenant_ltv: 0.65,
  charge_level: 'Low',
  risk_tier: 'LOW',
  risk_tier_reasons: [],
  core_tier: 'Oscillator',
  quality_flag: 'High',
  data_source: 'direct_facts_fallback',
  is_linkbase_backed: false,
  calculation_arc_count: 0,
  debt_coverage_status: 'resolved_nonzero',
});

describe('covenantViolations', () => {
  it('passes MSTR at 2025-09-30', () => {
    expect(covenantViolations(sound)).toEqual([]);
  });

  it('passes an issuer without debt, one at the cap, and a debt too small to show', () => {
    const none = {
      total_long_term_debt: 0,
      current_debt: 0,
      noncurrent_debt: 0,
      stress_30pct: 0,
      stress_50pct: 0,
      stress_70pct: 0,
    };
    expect(
      covenantViolations({
        ...sound,
        ...none,
        covenant_headroom_50pct: 1,
        debt_coverage_status: 'legitimate_zero_debt',
      }),
    ).toEqual([]);
    const {
      covenant_headroom_50pct: _,
      charge_level: __,
      discharge_risk: ___,
      breach_probability_1y: ____,
      ...open
    } = sound;
    expect(
      covenantViolations({
        ...open,
        total_crypto_fair_value: 0,
        crypto_share_of_assets: 0,
        treasury_relevance: 'none',
        stress_30pct: 1000,
        stress_50pct: 1000,
        stress_70pct: 1000,
        risk_tier: 'UNCLASSIFIED',
        live_risk_tier: null,
      }),
    ).toEqual([]);
    expect(
      covenantViolations({
        ...sound,
        total_long_term_debt: 100,
        noncurrent_debt: 100,
        stress_30pct: 0,
        stress_50pct: 0,
        stress_70pct: 0,
        covenant_headroom_50pct: 1,
      }),
    ).toEqual([]);
  });

  it.each<[string, Partial<CovenantStress>]>([
    ['M15.5', { current_debt: 1 }],
    ['M15.6', { debt_coverage_status: 'resolved_zero' }],
    ['M15.11', { is_linkbase_backed: true }],
    ['M15.12', { core_tier: 'Tower' }],
    ['M15.12', { debt_coverage_status: 'low_confidence_missing_debt' }],
    ['M15.17', { stress_30pct: 0.372188, stress_70pct: 0.159509 }],
    ['M15.18', { stress_30pct: 0.2 }],
    ['M15.19', { covenant_headroom_50pct: -0.1 }],
    ['M15.24', { risk_tier: 'HIGH' }],
    ['M15.24', { risk_tier: 'MODERATE', risk_tier_reasons: [] }],
    ['M15.25', { charge_level: 'Elevated' }],
    ['M15.63', { treasury_relevance: 'incidental' }],
    ['M15.63', { crypto_share_of_assets: 0.04, treasury_relevance: 'incidental' }],
    [
      'M15.63 covenant figures',
      { crypto_share_of_assets: 0.04, treasury_relevance: 'incidental', risk_tier: 'UNCLASSIFIED' },
    ],
    ['M15.63', { crypto_share_of_assets: null }],
    ['M15.64', { figures_basis: 'crypto_unproven', crypto_share_of_assets: null, treasury_relevance: null }],
    ['M15.6', { figures_basis: 'debt_unproven' }],
    [
      'M15.69',
      {
        figures_basis: 'crypto_unproven',
        crypto_share_of_assets: null,
        treasury_relevance: null,
        data_quality_notes: ['no_crypto'],
      },
    ],
  ])('names %s when %o', (rule, change) => {
    expect(covenantViolations({ ...sound, ...change }).join('\n')).toContain(rule);
  });
});

describe('screenViolations', () => {
  it('wants stress descending, ticker ascending, each issuer once', () => {
    const a = { ...sound, ticker: 'AAA', cik: '0000000001' };
    const b = { ...sound, ticker: 'BBB', cik: '0000000002' };
    expect(screenViolations([a, b])).toEqual([]);
    expect(screenViolations([b, a])).toEqual(['AAA: I2.6 the row is out of order']);
    expect(screenViolations([a, { ...b, cik: a.cik }])).toEqual(['BBB: M15.60 the issuer has two rows']);
  });
});

describe('rankingViolations', () => {
  const row = (rank: number, ticker: string, change: Partial<TopStressedRow>): TopStressedRow =>
    topStressedRow.parse({
      rank,
      ticker,
      period: '2025-09-30',
      stress_50pct: 0.5,
      covenant_headroom_50pct: 0.1,
      risk_tier: 'LOW',
      st_z: null,
      mp_z: null,
      core_tier: 'Coil',
      charge_level: 'Low',
      resonance_status: 'Neutral',
      is_linkbase_backed: false,
      quality_flag: 'High',
      data_source: 'direct_facts_fallback',
      calculation_arc_count: 0,
      debt_coverage_status: 'resolved_nonzero',
      ...change,
    });

  it('orders by the live value where there is one, then equity cushion, then ticker (I2.49)', () => {
    const rows = [
      row(1, 'AAA', { live_stress_50pct: 0.9, stress_50pct: 0.1 }),
      row(2, 'BBB', { stress_50pct: 0.5 }),
      row(3, 'CCC', { stress_50pct: 0.5, ecs_z: 0.2 }),
      row(4, 'DDD', { stress_50pct: 0.5, ecs_z: 0.2 }),
    ];
    expect(rankingViolations(rows)).toEqual([]);
    expect(rankingViolations([...rows].reverse())).not.toEqual([]);
  });
});

describe('the counts of a slice', () => {
  const readiness = payload.stored.object.schema.parse(payload.example);
  const filing = riskDistribution.schema.parse(riskDistribution.example);
  const tiers = ['CRITICAL', 'HIGH', 'HIGH', 'HIGH', 'HIGH', ...Array.from({ length: 8 }, () => 'LOW')];
  const rows = tiers.map((risk_tier) => covenantStress.schema.parse({ ...sound, risk_tier }));
  const ranked = { rows: 13, ranked: 13, excludedUnclassified: 0 };

  it('passes the published example of 13 rows', () => {
    expect(readinessCountViolations(readiness, { rows: 13 })).toEqual([]);
    expect(distributionViolations(filing, rows)).toEqual([]);
    expect(rankedCountViolations(ranked)).toEqual([]);
  });

  it('names every count that does not count the rows (M15.60)', () => {
    expect(rankedCountViolations({ ...ranked, ranked: 12 })).toEqual([
      'top stressed: M15.60 12 ranked and 0 left out are not 13 rows',
    ]);
    const wrong = { ...readiness, resolved_nonzero_count: 9 };
    expect(readinessCountViolations(wrong, { rows: 13 })).toEqual([
      'readiness: M15.60 debt coverages add up to 12, not 13',
    ]);
    expect(distributionViolations(filing, rows.slice(1))).toContain(
      'risk distribution: M15.60 CRITICAL counts 1, not 0',
    );
  });
});
