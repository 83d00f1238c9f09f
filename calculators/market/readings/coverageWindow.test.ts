import { describe, expect, it } from 'vitest';
import { marketProduct, marketSeries } from '../../../fixtures/builders/marketSeries.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { factorRows } from '../factors/factorRows.ts';
import { coverageWindow } from './coverageWindow.ts';

const parameters = registryParameters;
const product = 'BTC-PERP-INTX';
const closes = { coin: new Map(), stock: new Map() };

/** Five hours from 18:00 of 1 March 2024: the second is not there, the last has no index. */
const rows = factorRows({
  product: marketProduct({ product }),
  bucketLength: '1h',
  series: [
    marketSeries('2024-03-01T18:00:00Z', { length: '1h', buckets: [{}, null, {}, {}, { index: null }] }),
  ],
  closes,
  from: 0,
  to: Number.MAX_SAFE_INTEGER,
  parameters,
});

describe('a coverage window (M8.7b)', () => {
  const windowAt = (at: string) =>
    coverageWindow({
      product,
      bucketLength: '1h',
      held: {
        first: Date.parse('2024-03-01T18:00:00Z'),
        last: Date.parse('2024-03-01T22:00:00Z'),
        available: 3,
      },
      latest: rows.at(-1) ?? null,
      at: Date.parse(at),
      parameters,
    });

  it('counts the buckets from the first to the last, a missing one and one without an index as not available', () => {
    expect(windowAt('2024-03-02T00:00:00Z')).toEqual({
      product,
      bucket_length: '1h',
      first_bucket_utc: '2024-03-01T18:00:00Z',
      last_bucket_utc: '2024-03-01T22:00:00Z',
      available_count: 3,
      missing_count: 2,
      row_age_minutes: 60,
      stale_after_minutes: 360,
      row_status: 'partial',
    });
  });

  it('is stale when its last bucket ended longer ago than its length allows, and not at the limit', () => {
    expect(windowAt('2024-03-02T05:00:00Z')).toMatchObject({ row_age_minutes: 360, row_status: 'partial' });
    expect(windowAt('2024-03-02T05:01:00Z')).toMatchObject({ row_age_minutes: 361, row_status: 'stale' });
  });

  it('of a product without a row says so, with nulls and no zero for an age', () => {
    const none = { product, bucketLength: '1d', held: null, latest: null, at: 0, parameters } as const;
    expect(coverageWindow(none)).toEqual({
      product,
      bucket_length: '1d',
      first_bucket_utc: null,
      last_bucket_utc: null,
      available_count: 0,
      missing_count: 0,
      row_age_minutes: null,
      stale_after_minutes: 2880,
      row_status: 'unavailable',
    });
  });
});
