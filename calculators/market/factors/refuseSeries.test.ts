import { describe, expect, it } from 'vitest';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import type { MarketBucket } from '../marketBucket.ts';
import { refuseSeries } from './refuseSeries.ts';

const parameters = registryParameters;
const hour = 3_600_000;
const at = (start: number): MarketBucket => ({
  start,
  mark: 100,
  index: 100,
  last: null,
  openInterest: null,
  fundingRate: null,
  fundingIntervalHours: null,
  volumeBase: null,
  volumeUsd: null,
  liquidationsLongUsd: null,
  liquidationsShortUsd: null,
  observations: 1,
  synthetic: false,
  flags: [],
});
const check = (starts: readonly number[], bucketLength: '15m' | '1h' | '1d' = '1h') =>
  refuseSeries(
    { contract: { venue: 'binance', symbol: 'BTCUSDT' }, buckets: starts.map(at) },
    { bucketLength, parameters },
  );

describe('a series of buckets', () => {
  it('may have gaps', () => {
    expect(() => check([0, hour, 5 * hour])).not.toThrow();
    expect(() => check([])).not.toThrow();
  });

  it.each([
    ['a bucket twice', [0, hour, hour], '1970-01-01T01:00:00.000Z of binance BTCUSDT is there twice'],
    ['buckets out of order', [hour, 0], '1970-01-01T00:00:00.000Z of binance BTCUSDT is out of order'],
    ['a start off the hour', [0, hour + 1], 'does not start at a multiple of 1h'],
    ['a start that is no number', [Number.NaN], 'Bucket NaN of binance BTCUSDT'],
  ])('is refused with %s', (_, starts, message) => {
    expect(() => check(starts)).toThrow(message);
  });

  it('is judged by its own length', () => {
    expect(() => check([0, 900_000], '15m')).not.toThrow();
    expect(() => check([0, hour], '1d')).toThrow('does not start at a multiple of 1d');
  });
});
