import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arcCurves } from './pdfPen.ts';

describe('an arc as curves', () => {
  it('of half a circle goes over its top, clockwise with y downwards', () => {
    const [first, second] = arcCurves(
      { x: -10, y: 0 },
      { rx: 10, ry: 10, clockwise: true, to: { x: 10, y: 0 } },
    );
    expect(first?.to.x).toBeCloseTo(0, 9);
    expect(first?.to.y).toBeCloseTo(-10, 9);
    expect(second?.to).toEqual({ x: 10, y: 0 });
    // 4/3 (√2 − 1), the handle of a quarter
    expect(first?.first.y).toBeCloseTo(-5.5228, 4);
  });

  it('stays on its ellipse within a thousandth of the radius', () => {
    const radius = fc.integer({ min: 1, max: 1_000 });
    fc.assert(
      fc.property(
        radius,
        radius,
        fc.double({ min: 0.05, max: 3.1, noNaN: true }),
        fc.boolean(),
        (rx, ry, angle, clockwise) => {
          const turn = clockwise ? 1 : -1;
          const at = (a: number) => ({ x: rx * Math.cos(a), y: turn * ry * Math.sin(a) });
          let from = at(0);
          for (const { first, second, to } of arcCurves(from, { rx, ry, clockwise, to: at(angle) })) {
            for (const t of [0.25, 0.5, 0.75]) {
              const u = 1 - t;
              const mix = (a: number, b: number, c: number, d: number) =>
                u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
              const [x, y] = [
                mix(from.x, first.x, second.x, to.x) / rx,
                mix(from.y, first.y, second.y, to.y) / ry,
              ];
              expect(Math.abs(Math.sqrt(x * x + y * y) - 1)).toBeLessThan(0.001);
            }
            from = to;
          }
        },
      ),
      { numRuns: 200, seed: 5 },
    );
  });
});
