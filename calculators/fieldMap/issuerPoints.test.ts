import { describe, expect, it } from 'vitest';
import { row } from '../../fixtures/builders/fieldMapRows.ts';
import { goldenParameters } from '../../fixtures/builders/goldenSlice.ts';
import { priceBook } from '../prices/priceBook.ts';
import { chainedPriceIndex, priceEchoes } from './issuerPoints.ts';

const day = (i: number) => row(i).date;
const closes = priceBook(
  [100, 110, 121, 110].map((close, i) => ({ date: day(i), asset: 'BTC', close, source: 'yahoo' })),
  goldenParameters,
);
const later = { accession: '0000000009-26-000002' };
const measuredAt = (reference: number) => ({ basket: [{ asset: 'BTC', weight: 1, reference }] });

describe('chainedPriceIndex (M9.2)', () => {
  it('is the index of the filing in force while that stays', () => {
    const rows = [1, 1.1, 1.21].map((priceIndex, i) => row(i, { priceIndex }));
    expect(chainedPriceIndex(rows, closes)).toEqual([1, 1.1, 1.21]);
  });

  it('moves by prices alone where another filing comes into force, and goes on from there', () => {
    // the new filing measures from 110, its index restarts at 1.1
    const rows = [
      row(0, { priceIndex: 1 }),
      row(1, { priceIndex: 1.1 }),
      row(2, { priceIndex: 1.1, ...later, ...measuredAt(110) }),
      row(3, { priceIndex: 1, ...later, ...measuredAt(110) }),
    ];
    const index = chainedPriceIndex(rows, closes);
    expect(index.map((v) => v?.toFixed(12))).toEqual([1, 1.1, 1.21, 1.1].map((v) => v.toFixed(12)));
  });

  it('stays level at the change where the new basket cannot be priced on the day before', () => {
    const unpriced = { basket: [{ asset: 'SOL', weight: 1, reference: 20 }] };
    for (const more of [unpriced, { basket: [] }]) {
      const rows = [row(0, { priceIndex: 2 }), row(1, { priceIndex: 1.3, ...later, ...more })];
      expect(chainedPriceIndex(rows, closes)).toEqual([2, 2]);
    }
  });

  it('has no value on a day without closes and links across it', () => {
    const rows = [
      row(0, { priceIndex: 1 }),
      row(1, { priceIndex: null, ...later }),
      row(2, { priceIndex: 1.21, ...later, ...measuredAt(100) }),
    ];
    expect(chainedPriceIndex(rows, closes)).toEqual([1, null, 1.21]);
  });
});

describe('priceEchoes (M9.3)', () => {
  it('needs no row before its window: the scale of a link does not show', () => {
    const more = (i: number) => (i < 20 ? {} : { ...later, ...measuredAt(110) });
    const rows = Array.from({ length: 40 }, (_, i) =>
      row(i, { priceIndex: 1 + ((i * 7) % 11) / 10, ...more(i) }),
    );
    const window = { points: 30, minPoints: 5 };
    const last = (some: typeof rows) => priceEchoes(some, { window, prices: closes }).at(-1);
    expect(last(rows)).toBe(last(rows.slice(-30)));
    expect(last(rows.slice(0, 4))).toBeNull();
  });
});
