import { describe, expect, it } from 'vitest';
import {
  filedReading,
  type StressMembers,
  unmeasuredRatio,
  verdictSentence,
} from '../../calculators/briefs/verdict.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { handMadeTrail } from '../../fixtures/builders/handMadeTrail.ts';
import { trailTree } from './trailTree.ts';

const ratio = (text: string) => ExactDecimal.parse(text);
const fold: StressMembers = {
  source_date: '2026-02-07',
  period: '2025-09-30',
  risk_tier: 'HIGH',
  figures_basis: 'resolved',
  treasury_relevance: 'core',
  crypto_share_of_assets: ratio('0.940942'),
  stress_50pct: ratio('0.917082'),
  quality_flag: 'High',
  data_quality_notes: [],
};

describe('the verdict on an issuer', () => {
  it('is its tier and the ratio behind it, with the notch and the live tier where they differ (M3.9)', () => {
    expect(verdictSentence('FLD', fold)).toBe(
      'FLD is HIGH: after a 50 % fall its debt is 0.92 of its coins.',
    );
    const worse = {
      ...fold,
      risk_tier_reasons: ['shocked_equity_negative'],
      live_risk_tier: 'CRITICAL',
      stress_50pct: ratio('1.2'),
    };
    expect(verdictSentence('FLD', worse)).toBe(
      'FLD is HIGH: after a 50 % fall its debt is 1.20 times its coins, one notch worse because equity does not survive the fall. At the closes of 2026-02-07 it is CRITICAL.',
    );
  });

  it('is why there is no tier and what would give one', () => {
    const unproven = { ...fold, risk_tier: 'UNCLASSIFIED', figures_basis: 'debt_unproven' };
    expect(verdictSentence('FLD', unproven)).toBe(
      'FLD has no tier: its debt is not proven; liabilities that add up line by line, or a total of debt that its parts confirm, would give one.',
    );
  });
});

it('heads the tree with what the ratio is where it measures nothing, never with a share of coins (M3.3)', () => {
  const trail = handMadeTrail();
  const none = { ...fold, treasury_relevance: 'none', stress_50pct: ratio('1000') };
  expect(trailTree(trail, unmeasuredRatio(none)).split('\n').slice(0, 2)).toEqual([
    'debt ÷ coins after a 50 % fall: no reading, there are no coins and the published',
    '│ 1,000.00 is the cap (stress_50pct, M3.3)',
  ]);
  expect(trailTree(trail, unmeasuredRatio(fold))).toMatch(/^debt ÷ coins after a 50 % fall = 0\.917082 /);
});

describe('the reading as filed', () => {
  it('of a measured ratio is the published one', () => {
    expect(filedReading(fold)).toBe(
      'as filed: debt is 0.917082 of the coins after a 50 % fall, risk tier HIGH',
    );
    expect(unmeasuredRatio(fold)).toBeNull();
  });

  it('is never a share of coins that are none or not proven (M3.3)', () => {
    const none = {
      ...fold,
      risk_tier: 'UNCLASSIFIED',
      treasury_relevance: 'none',
      stress_50pct: ratio('1000'),
    };
    expect(filedReading(none)).toBe(
      'as filed: no reading, there are no coins and the published 1,000.00 is the cap',
    );
    expect(filedReading({ ...none, stress_50pct: ratio('0') })).toBe(
      'as filed: no reading, there are neither debt nor coins',
    );
    const unproven = { ...fold, figures_basis: 'debt_unproven', stress_50pct: ratio('0') };
    expect(filedReading(unproven)).toBe('as filed: no reading, the published 0.00 rests on lower bounds');
  });

  it('of incidental coins is arithmetic and no reading of solvency (M3.25: TSLA)', () => {
    const tesla = {
      ...fold,
      treasury_relevance: 'incidental',
      crypto_share_of_assets: ratio('0.009606'),
      stress_50pct: ratio('12.5'),
    };
    expect(filedReading(tesla)).toBe(
      'as filed: debt is 12.5 times the coins after a 50 % fall; the coins are 1.0 % of its assets, so that is no reading of its solvency',
    );
  });
});
