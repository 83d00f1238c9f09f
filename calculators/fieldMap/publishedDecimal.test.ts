import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, exactly, multiply, published, subtract } from '../exact/fraction.ts';
import { difference, fellBy, product, sumOfSquares } from './publishedDecimal.ts';

const z = fc.integer({ min: -350_000, max: 350_000 }).map((n) => n / 10_000);
const ratio = fc.integer({ min: 0, max: 1_000_000_000 }).map((n) => n / 1_000_000);

describe('arithmetic on published decimals', () => {
  it('rounds half up with ties away from zero (M0.4)', () => {
    // 0.0005 · 0.0030 is 0.0000015
    expect(product(0.0005, 0.003)).toBe(0.000002);
    expect(product(-0.0005, 0.003)).toBe(-0.000002);
    expect(Object.is(product(-0.0001, 0.0001), 0)).toBe(true);
  });

  it('gives what exact fractions give', () => {
    fc.assert(
      fc.property(z, z, ratio, ratio, (a, b, x, y) => {
        const [u, v] = [exactly(a), exactly(b)];
        expect(sumOfSquares(a, b)).toBe(published(add(multiply(u, u), multiply(v, v)), 6));
        expect(product(a, b)).toBe(published(multiply(u, v), 6));
        expect(difference(x, y)).toBe(published(subtract(exactly(x), exactly(y)), 6));
      }),
    );
  });

  it('sees a fall of exactly the threshold, which doubles miss', () => {
    expect(0.7 - 0.55 >= 0.15).toBe(false);
    expect(fellBy(0.7, 0.55, 0.15)).toBe(true);
    expect(fellBy(0.7, 0.550001, 0.15)).toBe(false);
  });
});
