import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { roundHalfUp } from './decimals.ts';
import {
  add,
  compare,
  divide,
  exactly,
  multiply,
  published,
  quotient,
  rounded,
  subtract,
} from './fraction.ts';

const decimal = (text: string) => ExactDecimal.parse(text);
const someRatio = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 15n }))
  .map(([numerator, denominator]) => ({ numerator, denominator }));

describe('fraction', () => {
  it.each([
    ['0.5', '1', 0, 1],
    ['-0.5', '1', 0, -1],
    ['2', '3', 6, 0.666667],
    ['8173903', '36602862.5', 6, 0.223313],
    ['1', '8000000', 6, 0],
    ['-1', '8000000', 6, 0],
  ])('rounds %s / %s half up at %i decimals (M0.4)', (a, b, digits, expected) => {
    expect(published(quotient(decimal(a), decimal(b)), digits)).toBe(expected);
  });

  it('reads a double as the decimal it prints as, so that 0.65 is 13/20', () => {
    expect(compare(exactly(0.65), divide(exactly(13), exactly(20)))).toBe(0);
  });

  it('refuses to divide by zero', () => {
    expect(() => quotient(decimal('1'), decimal('0'))).toThrow(RangeError);
  });

  it('adds, multiplies and takes back without loss', () => {
    fc.assert(
      fc.property(someRatio, someRatio, (a, b) => {
        expect(compare(subtract(add(a, b), b), a)).toBe(0);
        if (b.numerator !== 0n) expect(compare(divide(multiply(a, b), b), a)).toBe(0);
      }),
    );
  });

  it('rounds to at most half a unit away', () => {
    fc.assert(
      fc.property(someRatio, (a) => {
        const error = subtract(exactly(rounded(a, 6)), a);
        const half = exactly(0.0000005);
        expect(compare(error, half)).not.toBe(1);
        expect(compare(error, { ...half, numerator: -half.numerator })).not.toBe(-1);
      }),
    );
  });
});

it.each([
  [1e-7, 6, 0],
  [0.0000005, 6, 0.000001],
  [1.0000005, 6, 1.000001],
  [-0.0000001, 6, 0],
])('rounds the double %d at %i decimals as it is printed (M0.4)', (value, digits, expected) => {
  expect(roundHalfUp(value, digits)).toBe(expected);
});
