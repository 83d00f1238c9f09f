import { describe, expect, it } from 'vitest';
import { foreignRow } from './venueHistory.ts';

const quarterHourMs = 900_000;
const page = (...prices: (number | null)[]) => prices.map((price, i) => ({ at: i * quarterHourMs, price }));
const levels = (...prices: number[]) => new Map(prices.map((price, i) => [i * quarterHourMs, price]));
const rowBefore = (price: number, ago = quarterHourMs) => ({ at: -ago, price });
const none = new Map<number, number>();

describe('a page of prices that names no contract', () => {
  it('is that of the contract where its other series agree, however far the row before was', () => {
    expect(foreignRow({ rows: page(400, 401), levels: levels(399, 400), before: rowBefore(100) })).toBeNull();
  });

  it('is another contract where most rows are more than three times apart from the other series', () => {
    const rows = page(100, 3.9, 3.9);
    expect(foreignRow({ rows, levels: levels(100, 100, 100), before: null })).toEqual(rows[1]);
    expect(foreignRow({ rows: page(100, 3.9), levels: levels(100, 100), before: null })).toBeNull();
  });

  it('is told by the row before where no other series speaks of its times', () => {
    expect(foreignRow({ rows: page(301), levels: none, before: rowBefore(100) })).toEqual({
      at: 0,
      price: 301,
    });
    expect(foreignRow({ rows: page(300), levels: none, before: rowBefore(100) })).toBeNull();
    expect(foreignRow({ rows: page(301), levels: none, before: rowBefore(100, 6 * 3_600_001) })).toBeNull();
  });

  it('without prices says nothing against the contract', () => {
    expect(foreignRow({ rows: page(null, 0), levels: levels(100, 100), before: rowBefore(100) })).toBeNull();
    expect(foreignRow({ rows: [], levels: none, before: rowBefore(100) })).toBeNull();
  });
});
