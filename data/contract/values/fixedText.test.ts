import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal, fixedText } from './exactDecimal.ts';

describe('a number at a fixed number of decimals', () => {
  it('rounds its decimal digits half away from zero, where its binary form lies below the tie', () => {
    expect([17.65, -17.65, 1.005, 0.045].map((value) => fixedText(value, 1))).toEqual([
      ...['17.7', '-17.7', '1.0', '0.0'],
    ]);
    expect([1.005, 2.675, 0.285].map((value) => fixedText(value, 2))).toEqual(['1.01', '2.68', '0.29']);
  });

  it('keeps trailing zeros, prints no exponent, and zero without a sign', () => {
    expect([0, -0, -0.0004, 12, 1e21, 1e-7].map((value) => fixedText(value, 2))).toEqual([
      ...['0.00', '0.00', '0.00', '12.00', '1000000000000000000000.00', '0.00'],
    ]);
    expect([0.5, -0.5, 999.95].map((value) => fixedText(value, 0))).toEqual(['1', '-1', '1000']);
  });

  it('is the number itself rounded once, for every number of decimals', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
        fc.integer({ min: 0, max: 8 }),
        (value, digits) => {
          const printed = ExactDecimal.parse(fixedText(value, digits));
          const off = printed.minus(ExactDecimal.fromNumber(value));
          const half = new ExactDecimal(5n, digits + 1);
          expect((off.sign < 0 ? off.negated() : off).compare(half)).toBeLessThanOrEqual(0);
          expect(fixedText(value, digits)).toMatch(digits === 0 ? /^-?\d+$/ : /^-?\d+\.\d+$/);
        },
      ),
    );
  });
});
