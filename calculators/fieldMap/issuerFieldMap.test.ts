import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parameters, row } from '../../fixtures/builders/fieldMapRows.ts';
import { goldenFieldMap } from '../../fixtures/builders/goldenFieldMap.ts';
import { goldenContext } from '../../fixtures/builders/goldenSlice.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { FieldMapRow } from './fieldMapRow.ts';
import { fieldPointReach, issuerPoints } from './issuerPoints.ts';

let prices: PriceBook;
beforeAll(async () => {
  prices = (await goldenContext()).prices;
});

const value = fc.option(fc.integer({ min: -300, max: 300 }).map((n) => n / 100));
const figures = fc.record({
  stZ: value,
  ownZ: value,
  mpZ: value,
  stress: fc.option(fc.integer({ min: 0, max: 900 }).map((n) => n / 1000)),
  priceIndex: fc.option(fc.integer({ min: 50, max: 150 }).map((n) => n / 100)),
});
/** Few different days in an order that differs, and one far outlier about where the map begins. */
const history = (length: number) =>
  fc
    .tuple(
      fc.array(figures, { minLength: 7, maxLength: 7 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 40, max: 85 }),
    )
    .map(([few, step, outlier]): FieldMapRow[] =>
      Array.from({ length }, (_, i) =>
        row(i, {
          ...few[(i * step + (i >> 3)) % few.length],
          ...(i === outlier ? { stZ: 9, ownZ: 9, mpZ: 9, priceIndex: 9 } : {}),
          accession: `0000000009-25-00000${(i >> 6) % 3}`,
        }),
      ),
    );

describe('the newest points of a field map', () => {
  it('are 400, and depend on no row before the 435 newest (I4.R17.2, M15.53)', () => {
    expect(fieldPointReach(parameters)).toBe(35);
    fc.assert(
      fc.property(history(480), (rows) => {
        const whole = goldenFieldMap(rows, prices);
        expect(whole.points.map(({ date }) => date)).toEqual(rows.slice(-400).map(({ date }) => date));
        expect(goldenFieldMap(rows.slice(-435), prices)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  it('are the same when those before them are not asked for', () => {
    const points = (rows: readonly FieldMapRow[], from: number) =>
      issuerPoints(rows, { events: [], prices, parameters, from });
    fc.assert(
      fc.property(history(90), fc.integer({ min: 0, max: 89 }), (rows, from) => {
        expect(points(rows, from)).toEqual(points(rows, 0).slice(from));
      }),
      { numRuns: 60 },
    );
  });

  it('are all that changes, bands and annotations are about', () => {
    // one band of compression before the range, one across its start, one inside
    const rising = (i: number) => i < 40 || (i >= 95 && i < 110) || (i >= 300 && i < 310);
    const rows = Array.from({ length: 500 }, (_, i) =>
      row(i, {
        stZ: rising(i) ? i : 0,
        stress: rising(i) ? i / 1000 : 0,
        accession: `0000000009-25-00000${i < 50 ? 1 : 2}`,
      }),
    );
    const map = goldenFieldMap(rows, prices);
    const [first] = map.points;
    expect(first?.date).toBe(rows[100]?.date);
    expect(map.what_changed?.compression_band_count).toBe(2);
    expect(map.annotations?.every(({ date }) => date >= (first?.date ?? ''))).toBe(true);
    expect(map.annotations?.filter(({ label }) => label === 'filing in force')).toEqual([]);
  });
});
