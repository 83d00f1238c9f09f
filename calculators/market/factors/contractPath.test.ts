import { describe, expect, it } from 'vitest';
import { marketBucket } from '../../../fixtures/builders/marketSeries.ts';
import { usableBucket } from './contractPath.ts';

describe('values no venue can mean (M8.2a)', () => {
  it.each([
    ['mark', 0, 'mark_invalid'],
    ['index', 0, 'index_invalid'],
    ['last', -1, 'last_invalid'],
    ['openInterest', 0, 'open_interest_invalid'],
    ['openInterest', -5, 'open_interest_invalid'],
    ['fundingRate', Number.NaN, 'funding_rate_invalid'],
    ['fundingIntervalHours', 0, 'funding_interval_hours_invalid'],
    ['volumeBase', -1, 'volume_base_invalid'],
    ['volumeUsd', Number.POSITIVE_INFINITY, 'volume_usd_invalid'],
    ['volumeUsd', 1e16, 'volume_usd_invalid'],
    ['liquidationsLongUsd', -1, 'liquidations_long_usd_invalid'],
    ['liquidationsShortUsd', -1, 'liquidations_short_usd_invalid'],
  ] as const)('%s of %d is null and flagged %s', (name, value, flag) => {
    const usable = usableBucket(marketBucket(0, { [name]: value, flags: ['clock_gap'] }));
    expect(usable[name]).toBeNull();
    expect(usable.flags).toEqual(['clock_gap', flag]);
  });

  it('leaves a bucket alone whose values are possible: no volume, a negative rate', () => {
    const bucket = marketBucket(0, { volumeUsd: 0, fundingRate: -0.003, liquidationsLongUsd: 0 });
    expect(usableBucket(bucket)).toEqual(bucket);
    expect(Object.is(usableBucket(marketBucket(0, { fundingRate: -0 })).fundingRate, 0)).toBe(true);
  });
});
