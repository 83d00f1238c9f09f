import { describe, expect, it } from 'vitest';
import { canonicalEventStatuses, figuresBases, qualityFlags } from '../values/enums.ts';
import { caveatSentence } from './caveatMeanings.ts';
import { noteMeanings } from './noteMeanings.ts';

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
