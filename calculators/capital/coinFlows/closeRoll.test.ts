import { assert, constantFrom, integer, property, tuple, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../../exact/sumOf.ts';
import { closeRoll, greatestSearch, type RollRow } from './closeRoll.ts';

const money = (amount: string | number, decimals: number | 'INF' = 'INF') => ({
  amount: ExactDecimal.parse(String(amount)),
  decimals,
});
const row = (amount: string | number, decimals: number | 'INF' = 'INF', canFlip = false): RollRow => ({
  ...money(amount, decimals),
  canFlip,
});
const gain = (amount: string | number, decimals: number | 'INF' = 'INF') => row(amount, decimals, true);

describe('a roll that closes (M18.71)', () => {
  it('needs all of its rows where they add up (RIOT 2025-09-30, coins)', () => {
    const rows = [row(4362), row(2), row(-2762), row(-37)];
    const closed = { dropped: [], flipped: null, gain: null };
    expect(closeRoll({ opening: money(17722), closing: money(19287), rows })).toEqual(closed);
  });

  it('excludes the row that repeats a part of another (RIOT 2025-09-30, the realized part of the gain)', () => {
    const rows = [
      row(444_540_000, -3),
      row(-149_000, -3),
      row(-290_953_000, -3),
      row(-3_745_000, -3),
      gain(395_892_000, -3),
      gain(33_389_000, -3),
    ];
    const stocks = { opening: money(1_654_468_000, -3), closing: money(2_200_053_000, -3) };
    expect(closeRoll({ ...stocks, rows })).toEqual({ dropped: [5], flipped: null, gain: null });
  });

  it('may change the sign of one gain, never of a purchase (a loss named as a gain)', () => {
    const stocks = { opening: money(1_000_000), closing: money(1_140_000) };
    const rows = [row(200_000), row(-17_000), gain(43_000)];
    expect(closeRoll({ ...stocks, rows })).toEqual({ dropped: [], flipped: 2, gain: null });
    expect(closeRoll({ ...stocks, rows: [row(200_000), row(-17_000), row(43_000)] })).toBeNull();
    const two = [row(200_000), gain(17_000), gain(43_000)];
    expect(closeRoll({ ...stocks, rows: two })).toBeNull();
  });

  it('takes in the one gain outside that is missing (BTCS 2025-09-30)', () => {
    const rows = [
      row(199_858_288, 0),
      row(9_403_200, 0),
      row(-3_431_427, 0),
      row(-8_115_551, 0),
      row(-10_050, 0),
      gain(203_352, 0),
      gain(-8_771_033, 0),
    ];
    const stocks = { opening: money(36_056_683, 0), closing: money(293_180_682, 0) };
    const outside = { dropped: [], flipped: null, gain: { index: 1, isNegated: false } };
    expect(closeRoll({ ...stocks, rows })).toBeNull();
    expect(closeRoll({ ...stocks, rows, gains: [money(500_000, 0), money(67_987_220, 0)] })).toEqual(outside);
    expect(closeRoll({ ...stocks, rows, gains: [money(67_987_220, 0), money(67_987_220, 0)] })).toBe(
      'ambiguous',
    );
    expect(closeRoll({ ...stocks, rows, gains: [money(67_987_221 + 50, 0)] })).toBeNull();
  });

  it('is as uncertain as its rows are rounded', () => {
    const stocks = { opening: money(100_000, -3), closing: money(151_000, -3) };
    expect(closeRoll({ ...stocks, rows: [row(50_000, -3)] })).toEqual({
      dropped: [],
      flipped: null,
      gain: null,
    });
    expect(closeRoll({ ...stocks, rows: [row(49_000, -3)] })).toBeNull();
    expect(closeRoll({ opening: money(100_000), closing: money(151_000), rows: [row(50_000)] })).toBeNull();
  });

  it('prefers the set that closes to the last digit to one within rounding (CLSK: 171,459 beside 171,462)', () => {
    const rows = [
      row(542_662, 0),
      row(171_459, 0),
      row(171_462, 0),
      row(-127_829, 0),
      row(-88_263, 0),
      row(-291_278, 0),
    ];
    const closing = money(431_661 + 542_662 + 171_459 - 127_829 - 88_263 - 291_278, 0);
    expect(closeRoll({ opening: money(431_661, 0), closing, rows })).toEqual({
      dropped: [2],
      flipped: null,
      gain: null,
    });
  });
});

describe('a roll that does not close (M18.71)', () => {
  it('is no proof where two sets of one size close: 250 and 90 planted beside 210 and 130', () => {
    const kept = [row(700_000_017), row(-40_000_003)];
    const rows = [...kept, row(250_000_000), row(90_000_000), row(210_000_000), row(130_000_000)];
    const closing = money(700_000_017 - 40_000_003 + 340_000_000);
    expect(closeRoll({ opening: money(0), closing, rows })).toBe('ambiguous');
    const other = [...rows.slice(0, 5), row(130_000_011)];
    expect(closeRoll({ opening: money(0), closing, rows: other })).toEqual({
      dropped: [4, 5],
      flipped: null,
      gain: null,
    });
  });

  it('is none where the search would find a set by accident', () => {
    // fourteen rows of a few thousands, rounded to thousands: some set of ten always fits
    const rows = Array.from({ length: 14 }, (_, index) => row((index + 3) * 7_000, -3));
    const found = closeRoll({ opening: money(0, -3), closing: money(601_000, -3), rows });
    expect(found === null || found === 'ambiguous').toBe(true);
  });

  it('excludes four rows at most', () => {
    const rows = [row(1_000_003), ...[11_003, 23_011, 41_017, 83_023].map((amount) => row(amount))];
    const stocks = { opening: money(500), closing: money(1_000_503) };
    expect(closeRoll({ ...stocks, rows })).toEqual({ dropped: [1, 2, 3, 4], flipped: null, gain: null });
    expect(closeRoll({ ...stocks, rows: [...rows, row(167_033)] })).toBeNull();
  });

  it('is hardly searched where it has very many rows: the sum, and the sum less one', () => {
    const many = Array.from({ length: 3000 }, (_, index) => row(index * 977 + 13));
    const sum = sumOf(many.map(({ amount }) => amount));
    const all = { opening: money(0), closing: { amount: sum, decimals: 'INF' as const }, rows: many };
    expect(many.length).toBeGreaterThan(greatestSearch);
    expect(closeRoll(all)).toEqual({ dropped: [], flipped: null, gain: null });
    const less = sum.minus(many[7]?.amount ?? ExactDecimal.zero).minus(many[9]?.amount ?? ExactDecimal.zero);
    expect(closeRoll({ ...all, closing: { amount: less, decimals: 'INF' } })).not.toMatchObject({
      dropped: [7, 9],
    });
  });
});

describe('laws of a roll', () => {
  const amounts = uniqueArray(integer({ min: 100_000, max: 900_000_000 }), { minLength: 3, maxLength: 9 });

  it('every sum of its rows closes with all of them, in any order and at any scale', () => {
    assert(
      property(
        tuple(amounts, integer({ min: 0, max: 1_000_000_000 }), constantFrom(1, 1000)),
        ([values, from, scale]) => {
          const rows = values.map((value, index) => row((index % 3 === 2 ? -value : value) * scale));
          const closing = sumOf([
            ExactDecimal.parse(String(from * scale)),
            ...rows.map(({ amount }) => amount),
          ]);
          const stocks = {
            opening: money(from * scale),
            closing: { amount: closing, decimals: 'INF' as const },
          };
          const all = { dropped: [], flipped: null, gain: null };
          expect(closeRoll({ ...stocks, rows })).toEqual(all);
          expect(closeRoll({ ...stocks, rows: rows.toReversed() })).toEqual(all);
        },
      ),
    );
  });

  it('what it keeps adds up, whatever is planted beside it', () => {
    assert(
      property(tuple(amounts, integer({ min: 1, max: 900_000_000 })), ([values, extra]) => {
        const rows = values.map((value, index) => row(index % 2 === 1 ? -value : value));
        const closing = { amount: sumOf(rows.map(({ amount }) => amount)), decimals: 'INF' as const };
        const planted = [...rows, row(extra)];
        const found = closeRoll({ opening: money(0), closing, rows: planted });
        if (found === null || found === 'ambiguous') return;
        const kept = planted.filter((_, index) => !found.dropped.includes(index));
        expect(sumOf(kept.map(({ amount }) => amount)).equals(closing.amount)).toBe(true);
      }),
    );
  });
});
