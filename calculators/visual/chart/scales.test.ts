import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thinned } from './runsOf.ts';
import { linearScale, log2Fixed, logScale, ticksOf } from './scales.ts';

describe('scales', () => {
  it('log2Fixed is exact for powers of two and within 2^-23 of the runtime elsewhere (V3)', () => {
    for (const [power, value] of [
      [-10, 1 / 1_024],
      [-1, 0.5],
      [0, 1],
      [3, 8],
      [10, 1_024],
    ] as const)
      expect(log2Fixed(value)).toBe(power);
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (value) => {
        expect(Math.abs(log2Fixed(value) - Math.log2(value))).toBeLessThan(1 / 8_388_608);
      }),
    );
  });

  it('places ends at ends and the middle of two powers half-way', () => {
    const x = logScale({ from: 0.25, to: 4, at: 1_000, end: 5_000 });
    expect([0.25, 0.5, 1, 4].map(x)).toEqual([1_000, 2_000, 3_000, 5_000]);
    expect([0.01, 9].map(x)).toEqual([1_000, 5_000]);
    expect(linearScale({ from: 2, to: 2, at: 10, end: 20 })(2)).toBe(10);
  });
});

describe('thinned (V41)', () => {
  it('keeps ends, lowest and highest of each half-pixel column and nothing else', () => {
    const ys = [5, 9, 1, 4, 6];
    const points = ys.map((y, i) => ({ x: i * 9, y }));
    expect(thinned(points).map(({ y }) => y)).toEqual([5, 9, 1, 6]);
  });

  it('draws the same: the extremes of every column stay', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ x: fc.nat(2_000), y: fc.nat(5_000) }), { minLength: 1, maxLength: 300 }),
        (raw) => {
          const points = raw.toSorted((a, b) => a.x - b.x);
          const kept = thinned(points);
          const columns = (of: typeof points) =>
            [...Map.groupBy(of, ({ x }) => Math.floor(x / 50))].map(([column, all]) => [
              column,
              Math.min(...all.map(({ y }) => y)),
              Math.max(...all.map(({ y }) => y)),
            ]);
          expect(columns(kept)).toEqual(columns(points));
          expect(kept.length).toBeLessThanOrEqual(4 * columns(points).length);
          expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)]);
        },
      ),
    );
  });
});

describe('ticks', () => {
  it.each([
    [{ from: 0, to: 0.9, most: 6, least: 0.01 }, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    // steps of 0.025 would print 0.03, 0.05, 0.08
    [{ from: 0, to: 0.1, most: 6, least: 0.01 }, [0, 0.02, 0.04, 0.06, 0.08, 0.1]],
    [{ from: 0, to: 0.004, most: 6, least: 0.01 }, [0, 0.01]],
    [{ from: 0, to: 73e9, most: 5, least: 1e8 }, [0, 2e10, 4e10, 6e10, 8e10]],
    // 250.0 M before 1.3 B
    [{ from: 0, to: 1.2e9, most: 6, least: 1e8 }, [0, 5e8, 1e9, 1.5e9]],
    [{ from: 0, to: 0, most: 5, least: 1e5 }, [0]],
  ])('%o are %o', (asked, expected) => {
    const found = ticksOf(asked);
    expect(found).toHaveLength(expected.length);
    for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 9);
  });
});
