import { describe, expect, it } from 'vitest';
import { canonicalEventStatuses, figuresBases, qualityFlags } from '../values/enums.ts';
import { caveatSentence, noteMeanings, noteSentence } from './noteMeanings.ts';

it.each([
  [
    'unit_scale_corrected:10^-3',
    'The quantity of coins was filed in thousands or millions and corrected: times 10 to the power of -3.',
  ],
  [
    'coins_incidental:0.009606',
    'Coins are less than a tenth of the assets: no tier, headroom, charge level or chance of a breach is drawn: 0.96 % of the assets.',
  ],
  [
    'no_crypto',
    'The filing states no coins, so there is no tier, headroom, charge level or probability of a breach.',
  ],
  [
    'pledged_receivable:12345678',
    'Coins of this amount are pledged and stand as a receivable, outside the coins counted: 12,345,678.',
  ],
  [
    'close_missing:BTC:2025-09-30',
    'No source gives the close of a day; the day before stands for it, or nothing: BTC, 2025-09-30.',
  ],
  [
    'newer_filing_unusable:0001050446-25-000123',
    'The figures of a newer filing cannot be used, and an older one stands in: 0001050446-25-000123.',
  ],
  [
    'tier_depends_on_candidate:LOW/HIGH',
    'The totals that could be the debt give different tiers; none is given: LOW or HIGH.',
  ],
  ['some_code:1', 'some_code:1'],
])('%s says: %s', (note, sentence) => {
  expect(noteSentence(note)).toBe(sentence);
});

describe('a caveat in words', () => {
  it.each([
    ...Object.keys(noteMeanings),
    ...canonicalEventStatuses.map((status) => `event_${status}`),
    ...figuresBases.filter((basis) => basis !== 'resolved'),
    ...qualityFlags.filter((flag) => flag !== 'High').map((flag) => `quality_${flag.toLowerCase()}`),
    ...['treasury_incidental', 'treasury_none', 'arcs_authored', 'decimals_not_at_hand', 'partial_slice'],
    ...['synthetic', 'synthetic_observations', 'weights_only_attribution', 'issuer_truth_missing'],
  ])('has a sentence for %s', (code) => {
    expect(caveatSentence(code)).toMatch(/^[A-Z].* .*\.$/);
  });

  it('tells the amount a note names, and what it does not know as it is', () => {
    expect(caveatSentence('unit_scale_corrected:10^-3')).toBe(
      'The quantity of coins was filed in thousands or millions and corrected: times 10 to the power of -3.',
    );
    expect(caveatSentence('a_new_flag')).toBe('a_new_flag');
  });
});
