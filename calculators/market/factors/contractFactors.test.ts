import { describe, expect, it } from 'vitest';
import { marketBucket, marketSeries } from '../../../fixtures/builders/marketSeries.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import type { MarketBucket } from '../marketBucket.ts';
import { contractFactors } from './contractFactors.ts';
import { contractPath } from './contractPath.ts';

const parameters = registryParameters;
/** Up one percent and down again, day after day. */
const swing = (i: number): Partial<MarketBucket> => ({ mark: i % 2 === 0 ? 100 : 101 });

/** The factors of the last bucket. */
function lastOf(buckets: readonly (Partial<MarketBucket> | null)[]) {
  const path = contractPath(marketSeries('2024-01-01', { buckets }), { bucketLength: '1d', parameters });
  return contractFactors(path.buckets.at(-1) ?? marketBucket(0), { path, parameters });
}
const swings = (days: number, gaps: readonly number[] = []) =>
  Array.from({ length: days }, (_, i) => (gaps.includes(i) ? null : swing(i)));

describe('volatility and illiquidity (M8.4, M8.4a)', () => {
  it('are of thirty and ninety daily returns of the mark', () => {
    const { values, flags } = lastOf(swings(91));
    // log returns ±ln 1.01, as many up as down: sd = ln 1.01·√(n/(n − 1))
    const daily = Math.log(1.01);
    expect(values.rv_30d).toBeCloseTo(daily * Math.sqrt((30 / 29) * 365), 12);
    expect(values.rv_90d).toBeCloseTo(daily * Math.sqrt((90 / 89) * 365), 12);
    expect(values.vol_ratio).toBeCloseTo(Math.sqrt((30 / 29) * (89 / 90)), 12);
    // fifteen days of 1/100 and fifteen of 1/101, a million USD a day
    expect(values.amihud_30d).toBeCloseTo((15 * 0.01 + 15 / 101) / 30, 12);
    expect(flags).toEqual([]);
  });

  it('are null while the contract does not reach back over their days', () => {
    expect(lastOf(swings(30)).values).toMatchObject({ rv_30d: null, amihud_30d: null });
    expect(lastOf(swings(31)).values.rv_30d).not.toBeNull();
    expect(lastOf(swings(90)).values).toMatchObject({ rv_90d: null, vol_ratio: null });
  });

  it('leave out a missing day with both its returns and say so, down to four fifths of the days', () => {
    const gappy = lastOf(swings(91, [70, 75, 80]));
    expect(gappy.values.rv_30d).not.toBeNull();
    expect(gappy.flags).toEqual(['volatility_gaps']);
    const worse = lastOf(swings(91, [68, 70, 75, 80]));
    expect(worse.values.rv_30d).toBeNull();
    expect(worse.values.rv_90d).not.toBeNull();
  });

  it('leave out a bucket without an index, whose mark no later row looks back to', () => {
    const buckets = swings(91).map((one, i) => (i === 80 ? { ...one, index: null } : one));
    expect(lastOf(buckets).flags).toEqual(['volatility_gaps']);
  });

  it('have no ratio where nothing moved', () => {
    const still = Array.from({ length: 91 }, () => ({}));
    expect(lastOf(still).values).toMatchObject({ rv_30d: 0, rv_90d: 0, vol_ratio: null });
  });
});

describe('factors of one bucket (M8.4)', () => {
  it.each([
    [8, 0.1095],
    [4, 0.219],
    [1, 0.876],
    [null, null],
  ])('annualize a rate of 0.0001 per %s hours to %s', (fundingIntervalHours, annual) => {
    const { funding_annualized: found } = lastOf([{ fundingIntervalHours }]).values;
    expect(found === null ? null : Number(found.toFixed(12))).toBe(annual);
  });

  it('have a negative basis below the index', () => {
    expect(lastOf([{ mark: 99.5, index: 100 }]).values.basis_bps).toBeCloseTo(-50, 9);
  });

  it.each([
    [30, 10, 0.5],
    [0, 10, -1],
    [0, 0, null],
    [null, 10, null],
  ])('have liquidations of %s long and %s short at %s', (long, short, imbalance) => {
    const { values } = lastOf([{ liquidationsLongUsd: long, liquidationsShortUsd: short }]);
    expect(values.liquidation_imbalance).toBe(imbalance);
  });

  it('flag the bucket whose funding interval is a new one', () => {
    const path = contractPath(
      marketSeries('2024-01-01', {
        buckets: [
          {},
          { fundingIntervalHours: null },
          { fundingIntervalHours: 4 },
          { fundingIntervalHours: 4 },
        ],
      }),
      { bucketLength: '1d', parameters },
    );
    expect(path.buckets.map(({ flags }) => flags)).toEqual([[], [], ['funding_interval_changed'], []]);
  });
});

it('gives no basis where mark and index are of different times of the bucket (M8.2c), and every other factor', () => {
  const day = { mark: 101, index: 100 };
  expect(lastOf([day]).values.basis_bps).toBe(100);
  const { values } = lastOf([{ ...day, flags: ['mark_index_apart'] }]);
  expect(values).toMatchObject({ basis_bps: null, oi_usd: 101_000 });
});
