import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapBetween } from '../../geometry/rect.ts';
import { entersRect, segmentsOf } from '../../geometry/segment.ts';
import { leaveBox, separateBoxes, stepAround } from './networkFamily.ts';

const box = fc.record({
  x: fc.integer({ min: -20_000, max: 20_000 }),
  y: fc.integer({ min: -20_000, max: 20_000 }),
  w: fc.integer({ min: 200, max: 9_000 }),
  h: fc.integer({ min: 200, max: 5_000 }),
});

describe('boxes pushed apart', () => {
  it('keep their size and their gap, from whatever heap', () => {
    fc.assert(
      fc.property(fc.array(box, { minLength: 1, maxLength: 25, size: 'max' }), (heap) => {
        const apart = separateBoxes(heap, { gap: 2_400, steps: { taken: 0 } });
        expect(apart.map(({ w, h }) => [w, h])).toEqual(heap.map(({ w, h }) => [w, h]));
        for (const [i, a] of apart.entries())
          for (const b of apart.slice(i + 1)) expect(gapBetween(a, b)).toBeGreaterThanOrEqual(2_400);
      }),
      { numRuns: 80, seed: 41 },
    );
  });

  it('come apart even when all lie in one place', () => {
    const heap = Array.from({ length: 30 }, () => ({ x: 0, y: 0, w: 4_000, h: 2_000 }));
    const apart = separateBoxes(heap, { gap: 1_000, steps: { taken: 0 } });
    for (const [i, a] of apart.entries())
      for (const b of apart.slice(i + 1)) expect(gapBetween(a, b)).toBeGreaterThanOrEqual(1_000);
  });
});

describe('a line that steps around', () => {
  const steps = { taken: 0 };
  const wall = { x: -1_000, y: -4_000, w: 2_000, h: 8_000 };

  it('goes by the nearer side of what is in its way, and straight where nothing is', () => {
    const line = [
      { x: -9_000, y: 2_000 },
      { x: 9_000, y: 2_000 },
    ] as const;
    const path = stepAround(line, { obstacles: [wall], clearance: 500, steps });
    expect(path).toEqual([
      { x: -9_000, y: 2_000 },
      { x: -1_500, y: 4_500 },
      { x: 1_500, y: 4_500 },
      { x: 9_000, y: 2_000 },
    ]);
    for (const segment of segmentsOf(path)) expect(entersRect(segment, wall)).toBe(false);
    const free = [
      { x: -9_000, y: 9_000 },
      { x: 9_000, y: 9_000 },
    ] as const;
    expect(stepAround(free, { obstacles: [wall], clearance: 500, steps })).toEqual([...free]);
  });

  it('begins exactly on the border of the box it leaves', () => {
    const path = leaveBox(
      [
        { x: 0, y: 0 },
        { x: 9_000, y: 3_000 },
      ],
      { x: -3_000, y: -1_000, w: 6_000, h: 2_000 },
    );
    expect(path).toEqual([
      { x: 3_000, y: 1_000 },
      { x: 9_000, y: 3_000 },
    ]);
  });
});
