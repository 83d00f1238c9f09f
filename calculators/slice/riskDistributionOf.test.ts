import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largestRemainder } from './riskDistributionOf.ts';

describe('largest remainder (I2.47)', () => {
  it.each([
    [
      [1, 4, 0, 8, 0],
      [7.69, 30.77, 0, 61.54, 0],
    ],
    [
      [1, 1, 1],
      [33.34, 33.33, 33.33],
    ],
    [
      [0, 0],
      [0, 0],
    ],
  ])('splits %j into %j', (counts, shares) => {
    expect(largestRemainder(counts)).toEqual(shares);
  });

  it('adds up to exactly 100.00, each share within a hundredth of its own', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 10_000 }), { minLength: 1, maxLength: 6 }), (counts) => {
        const total = counts.reduce((sum, count) => sum + count, 0);
        const hundredths = largestRemainder(counts).map((share) => Math.round(share * 100));
        expect(hundredths.reduce((sum, share) => sum + share, 0)).toBe(total === 0 ? 0 : 10_000);
        hundredths.forEach((share, i) => {
          if (total > 0) expect(Math.abs(share - ((counts[i] ?? 0) * 10_000) / total)).toBeLessThan(1);
        });
      }),
    );
  });
});
