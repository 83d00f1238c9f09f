import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { roundHalfUp } from './decimals.ts';

const printed = (value: number, digits: number) => ExactDecimal.fromNumber(value).rounded(digits).toNumber();

describe('roundHalfUp (M0.4)', () => {
  it.each([
    // the double next to 1.005 is below it, its decimal is a tie
    [1.005, 2, 1.01],
    [-1.005, 2, -1.01],
    [2.5, 0, 3],
    [-2.5, 0, -3],
    [0.1234564999999, 6, 0.123456],
    [1e-13, 12, 0],
    [123_456_789_012_345.6, 0, 123_456_789_012_346],
  ])('rounds %d at %i decimals to %d', (value, digits, rounded) => {
    expect(roundHalfUp(value, digits)).toBe(rounded);
  });

  it('has no negative zero', () => {
    expect(Object.is(roundHalfUp(-0.2, 0), 0)).toBe(true);
    expect(Object.is(roundHalfUp(-0, 6), 0)).toBe(true);
  });

  it('rounds the decimal that is printed, near ties and far from them', () => {
    const near = fc
      .tuple(
        fc.integer({ min: -(2 ** 42), max: 2 ** 42 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: -8, max: 8 }),
      )
      .map(([units, digits, steps]) => {
        const tie = Number(`${units}5e-${digits + 1}`);
        return tie + steps * Math.abs(tie) * Number.EPSILON;
      });
    fc.assert(
      fc.property(
        fc.oneof(near, fc.double({ noNaN: true, noDefaultInfinity: true })),
        fc.integer({ min: 0, max: 13 }),
        (value, digits) => {
          expect(roundHalfUp(value, digits)).toBe(printed(value, digits));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
