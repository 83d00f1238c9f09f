import { describe, expect, it } from 'vitest';
import { isUnmeasured, type TierEvidence, untieredOf } from './untiered.ts';

const row: TierEvidence = {
  tier: 'UNCLASSIFIED',
  basis: 'resolved',
  relevance: 'core',
  quality: 'High',
  period: '2025-09-30',
  sourceDate: '2026-02-07',
  notes: [],
};

describe('why a row has no tier (M3.10)', () => {
  it.each<[string, Partial<TierEvidence>, RegExp]>([
    ['a bank', { basis: 'debt_unproven', notes: ['financial_institution:1'] }, /deposits are its business/],
    ['unproven debt', { basis: 'debt_unproven' }, /its debt is not proven/],
    ['unproven coins', { basis: 'crypto_unproven', relevance: null }, /its coins are not proven/],
    ['both unproven', { basis: 'both_unproven', relevance: null }, /neither its debt nor its coins/],
    ['no coins', { relevance: 'none', notes: ['no_crypto'] }, /holds no coins/],
    ['no coins beside unknown assets', { relevance: null, notes: ['no_crypto_denominator'] }, /no coins/],
    ['incidental coins', { relevance: 'incidental' }, /less than a tenth/],
    ['coins at cost', { notes: ['tier_at_most:HIGH'] }, /carried at cost/],
    ['401 days', { period: '2025-01-02' }, /thirteen months/],
    ['unknown assets', { relevance: null }, /total assets are not known/],
    ['Low quality', { quality: 'Low' }, /contradict each other/],
    ['a fund', {}, /vehicle for coins/],
  ])('says it of %s, without a number', (_, change, why) => {
    const reason = untieredOf({ ...row, ...change });
    expect(reason?.why).toMatch(why);
    expect(`${reason?.why}${reason?.remedy}`).not.toMatch(/\d/);
  });

  it('says nothing of a row with a tier, nor of one 400 days old', () => {
    expect(untieredOf({ ...row, tier: 'LOW' })).toBeNull();
    expect(untieredOf({ ...row, period: '2025-01-03' })?.why).not.toMatch(/thirteen/);
  });
});

it('measures nothing where a figure is unproven or there are no coins, and something against few coins (M3.3)', () => {
  expect(isUnmeasured({ ...row, basis: 'debt_unproven' })).toBe(true);
  expect(isUnmeasured({ ...row, relevance: 'none' })).toBe(true);
  expect(isUnmeasured({ ...row, relevance: null, notes: ['no_crypto_denominator'] })).toBe(true);
  expect(isUnmeasured({ ...row, relevance: 'incidental' })).toBe(false);
  expect(isUnmeasured(row)).toBe(false);
});
