import { expect, it } from 'vitest';
import { noteSentence } from './noteMeanings.ts';

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
