import { describe, expect, it } from 'vitest';
import {
  coinCloses,
  constituent,
  lengths,
  marketProduct,
  marketSeries,
  registryVersion,
} from '../../../fixtures/builders/marketSeries.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import type { Closes } from '../baskets/constituentPrice.ts';
import type { Product, RegistryVersion } from '../baskets/product.ts';
import type { BucketLength, ContractSeries, MarketBucket } from '../marketBucket.ts';
import { factorRows, refuseSeries } from './factorRows.ts';

const parameters = registryParameters;
const noCloses: Closes = { coin: new Map(), stock: new Map() };

function rowsOf(
  series: readonly ContractSeries[],
  {
    product = marketProduct(),
    closes = noCloses,
    bucketLength = '1d',
    from = '2020-01-01',
    to = '2030-01-01',
  }: {
    readonly product?: Product;
    readonly closes?: Closes;
    readonly bucketLength?: BucketLength;
    readonly from?: string;
    readonly to?: string;
  } = {},
) {
  return factorRows({
    product,
    bucketLength,
    series,
    closes,
    from: Date.parse(from),
    to: Date.parse(to),
    parameters,
  });
}

describe('factor rows (M8.2–M8.4)', () => {
  it('gives the worked figures of a basket and of funding (M8.19)', () => {
    // closes of 2024-01-01 and 2024-01-08, the row of 2024-01-08 ends when the second counts
    const closes = coinCloses('2024-01-01', {
      AAA: [100, null, null, null, null, null, null, 104],
      BBB: [100, null, null, null, null, null, null, 98],
      CCC: [100, null, null, null, null, null, null, 101],
    });
    const product = marketProduct({
      product: 'COIN50-PERP-INTX',
      kind: 'coin_basket',
      versions: [
        registryVersion({
          method: 'fixed_share',
          constituents: [
            constituent('AAA', { weight: 0.5 }),
            constituent('BBB', { weight: 0.3 }),
            constituent('CCC', { weight: 0.2 }),
          ],
        }),
      ],
    });
    const [first, last] = rowsOf(
      [marketSeries('2024-01-01', { buckets: [{}, null, null, null, null, null, null, { mark: 102 }] })],
      { product, closes },
    );
    expect(first?.factors.breadth).toBeNull();
    expect(last?.factors).toMatchObject({
      funding_annualized: 0.1095,
      basis_bps: 200,
      breadth: 0.7,
      breadth_count: 0.666667,
      hhi: 0.38,
      n_eff: 2.631579,
      dispersion: 0.026153,
      momentum_7d: 0.019803,
      oi_usd: 102_000,
    });
    const { rows, perpReturn, trackingResidual } = last?.returns ?? {};
    expect(rows?.map(({ contribution }) => contribution)).toEqual([
      expect.closeTo(0.02, 12),
      expect.closeTo(-0.006, 12),
      expect.closeTo(0.002, 12),
    ]);
    expect(perpReturn).toBeCloseTo(0.02, 12);
    expect(trackingResidual).toBeCloseTo(0.02 - 0.016, 12);
  });

  it('has no row for a bucket without a price, and a partial one for a bucket without an index', () => {
    const rows = rowsOf([
      marketSeries('2024-01-01', {
        buckets: [{ mark: null, last: null, index: null }, {}, { index: null }, {}],
      }),
    ]);
    expect(rows.map(({ sourceDate, isAvailable }) => [sourceDate, isAvailable])).toEqual([
      ['2024-01-02', true],
      ['2024-01-03', false],
      ['2024-01-04', true],
    ]);
    const [, partial, last] = rows;
    expect(partial?.quality).toMatchObject({
      status: 'partial',
      flags: expect.arrayContaining(['index_missing']),
    });
    expect(partial?.factors).toMatchObject({ basis_bps: null, funding_annualized: 0.1095, turnover: 10 });
    expect(Object.values(partial?.zScores ?? { z: 1 }).every((z) => z === null)).toBe(true);
    // it looks back to none, and none looks back to it: its mark and open interest may be of another time of day
    expect(partial).toMatchObject({ previousStart: null, factors: { oi_change_24h: null, oi_usd: 100_000 } });
    expect(Object.values(partial?.deltas ?? { x: 1 }).every((delta) => delta === null)).toBe(true);
    expect(last?.previousStart).toBe(Date.parse('2024-01-02'));
  });

  it('compares with no bucket that is older than a row of its length may be (M8.7, M8.8b)', () => {
    const rows = rowsOf([
      marketSeries('2024-01-01', { buckets: [{}, null, { fundingRate: 0.0002 }, null, null, {}, {}] }),
    ]);
    const [, second, late, next] = rows;
    // two days before is as old as the limit
    expect(second).toMatchObject({ previousStart: Date.parse('2024-01-01'), deltas: { oi_usd: 0 } });
    expect(second?.deltas.funding_annualized).toBe(0.1095);
    expect(late?.previousStart).toBeNull();
    expect(Object.values(late?.deltas ?? { x: 1 }).every((delta) => delta === null)).toBe(true);
    expect(late?.quality.flags).toContain('previous_bucket_stale');
    expect(next?.previousStart).toBe(Date.parse('2024-01-06'));
    expect(next?.quality.flags).not.toContain('previous_bucket_stale');
  });

  it('attributes returns where a bucket ends with a day of closes, not at noon (M8.12a)', () => {
    const closes = coinCloses('2024-01-01', { BTC: [100, 100, 100, 100, 100, 100, 100, 110, 110] });
    const hours = Array.from({ length: 200 }, (_, h) => ({ mark: h < 182 ? 100 : 120 }));
    const rows = rowsOf([marketSeries('2024-01-01', { length: '1h', buckets: hours })], {
      product: marketProduct({ versions: [registryVersion({ constituents: [constituent('BTC')] })] }),
      closes,
      bucketLength: '1h',
    });
    const at = (time: string) => rows.find(({ start }) => start === Date.parse(time))?.returns;
    expect(at('2024-01-08T23:00:00Z')?.perpReturn).toBeCloseTo(0.2, 12);
    expect(at('2024-01-08T23:00:00Z')?.trackingResidual).toBeCloseTo(0.1, 12);
    expect(at('2024-01-08T22:00:00Z')).toMatchObject({ perpReturn: null, trackingResidual: null });
  });

  it('takes the first contract whose bucket is available, and never a difference between two', () => {
    const other = { venue: 'bybit', symbol: 'BTCUSDT' };
    const product = marketProduct({
      contracts: [
        { venue: 'binance', symbol: 'BTCUSDT', from: '2024-01-01', to: null },
        { ...other, from: '2024-01-01', to: '2024-01-03' },
      ],
    });
    const rows = rowsOf(
      [
        marketSeries('2024-01-01', { buckets: [null, { mark: 200 }, { index: null }, { mark: 220 }] }),
        marketSeries('2024-01-01', { of: other, buckets: [{ index: null }, {}, { mark: 110 }, {}] }),
      ],
      { product },
    );
    expect(rows.map((row) => [row.sourceDate, row.contract.venue, row.marketInputs.mark])).toEqual([
      ['2024-01-01', 'bybit', 100],
      ['2024-01-02', 'binance', 200],
      ['2024-01-03', 'bybit', 110],
      ['2024-01-04', 'binance', 220],
    ]);
    expect(rows[2]?.deltas.basis_bps).toBe(1000);
    expect(rows[3]?.previousStart).toBe(Date.parse('2024-01-02'));
    expect(rows[3]?.deltas.basis_bps).toBe(2000);
  });

  it('looks a day back to the bucket of then or the one before it, no further (M8.3)', () => {
    const change = (buckets: Parameters<typeof marketSeries>[1]['buckets']) =>
      rowsOf([marketSeries('2024-01-01', { buckets })]).at(-1)?.factors.oi_change_24h;
    expect(change([{ openInterest: 800 }, {}])).toBe(0.25);
    expect(change([{ openInterest: 800 }, null, {}])).toBe(0.25);
    expect(change([{ openInterest: 800 }, null, null, {}])).toBeNull();
    expect(change([{ openInterest: 800 }, { openInterest: 500, index: null }, {}])).toBe(0.25);
    expect(change([{ openInterest: 800 }, { openInterest: null }, {}])).toBeNull();
    expect(change([{ openInterest: 800 }, { index: null }])).toBeNull();
  });

  it('compares open interest of one time of day with that of the same (M8.2d)', () => {
    const change = (then: string[], now: string[]) =>
      rowsOf([
        marketSeries('2024-01-01', { buckets: [{ openInterest: 800, flags: then }, { flags: now }] }),
      ]).at(-1)?.factors.oi_change_24h;
    expect(change([], [])).toBe(0.25);
    expect(change([], ['open_interest_apart'])).toBeNull();
    expect(change(['open_interest_apart'], [])).toBeNull();
    // both at the time at which the venue's history gives it
    expect(change(['open_interest_apart'], ['open_interest_apart'])).toBe(0.25);
  });

  it('has no momentum, volatility or change in a bucket without an index (M8.2a)', () => {
    const days = Array.from({ length: 40 }, (_, i) => ({ mark: 100 + i }));
    const momentum = (last: object) =>
      rowsOf([marketSeries('2024-01-01', { buckets: [...days, { mark: 150, ...last }] })]).at(-1)?.factors;
    // a week before the last day the mark was 133; momentum is a log return
    expect(momentum({})?.momentum_7d).toBeCloseTo(Math.log(150 / 133), 6);
    expect(momentum({ index: null })).toMatchObject({
      momentum_7d: null,
      momentum_30d: null,
      rv_30d: null,
      oi_change_24h: null,
      funding_annualized: 0.1095,
    });
  });

  it('has no row of a dated contract after its last day, nor before a listing', () => {
    const product = marketProduct({
      expires: '2024-01-03',
      contracts: [{ venue: 'binance', symbol: 'BTCUSDT', from: '2024-01-02', to: null }],
    });
    const rows = rowsOf([marketSeries('2024-01-01', { buckets: [{}, {}, {}, {}] })], { product });
    expect(rows.map(({ sourceDate }) => sourceDate)).toEqual(['2024-01-02', '2024-01-03']);
    expect(rows[0]?.previousStart).toBeNull();
  });

  it('sums a day of volume from every bucket of it, or from none', () => {
    const hours = (gap: number | null) =>
      rowsOf(
        [
          marketSeries('2024-01-01T00:00:00Z', {
            length: '1h',
            buckets: Array.from({ length: 24 }, (_, i) => (i === gap ? null : { volumeUsd: 1_000 + i })),
          }),
        ],
        { bucketLength: '1h' },
      ).at(-1);
    expect(hours(null)?.marketInputs.volume24hUsd).toBe(24_276);
    expect(hours(null)?.factors.turnover).toBe(0.24276);
    expect(hours(5)?.factors.turnover).toBeNull();
    expect(hours(5)?.quality.flags).toContain('volume_incomplete');
  });

  it('takes base volume at the price of its bucket where the venue gives no notional', () => {
    const [row] = rowsOf([
      marketSeries('2024-01-01', { buckets: [{ volumeUsd: null, volumeBase: 50, mark: 101 }] }),
    ]);
    expect(row?.marketInputs.volume24hUsd).toBe(5_050);
    expect(row?.quality.flags).toContain('notional_from_base');
  });

  it('refuses a series it was given twice and one of another product', () => {
    const series = marketSeries('2024-01-01', { buckets: [{}] });
    expect(() => rowsOf([series, series])).toThrow('The series of binance BTCUSDT is given twice');
    const other = marketSeries('2024-01-01', { buckets: [{}], of: { venue: 'kraken', symbol: 'XBT' } });
    expect(() => rowsOf([other])).toThrow('kraken XBT is no contract of the product: BTC-PERP-INTX');
    const twice = { ...series, buckets: [...series.buckets, ...series.buckets] };
    expect(() => rowsOf([twice])).toThrow('is there twice');
  });

  it('ages a row from the end of its bucket to the end of its date', () => {
    const rows = rowsOf([marketSeries('2024-01-01T22:00:00Z', { length: '1h', buckets: [{}, {}] })], {
      bucketLength: '1h',
    });
    expect(rows.map(({ quality }) => quality.rowAgeMinutes)).toEqual([60, 0]);
    expect(lengths['1h']).toBe(3_600_000);
  });
});

describe('flags of a row (M8.4d)', () => {
  const stock = (weight: number | null) => constituent('NVDA', { kind: 'stock', cik: '0001045810', weight });
  // Friday's close, seen on Sunday
  const closes: Closes = {
    coin: new Map(),
    stock: new Map([['NVDA', [{ date: '2024-01-05', close: 490 }]]]),
  };
  const flagsOf = (version: Partial<RegistryVersion>, bucket = {}) =>
    rowsOf([marketSeries('2024-01-07', { buckets: [bucket] })], {
      product: marketProduct({ kind: 'equity_basket', versions: [registryVersion(version)] }),
      closes,
    })[0]?.quality.flags;

  it.each([
    ['registry_stand_in', { standIn: true }],
    ['registry_missing', { effectiveDate: '2024-01-08' }],
    ['weights_renormalised', { constituents: [stock(0.9999)] }],
    ['weights_invalid', { constituents: [stock(null)] }],
    ['constituent_price_missing', { constituents: [stock(1)] }],
    ['constituent_session_closed', { constituents: [stock(1)] }],
  ])('name the basket: %s', (flag, version) => {
    expect(flagsOf(version)).toContain(flag);
  });

  it.each([
    ['synthetic', { synthetic: true }],
    ['mark_missing', { mark: null }],
    ['open_interest_missing', { openInterest: null }],
    ['funding_missing', { fundingIntervalHours: null }],
    ['factor_out_of_range', { mark: 1e15, index: 1e-3 }],
    ['index_stale', { flags: ['index_stale'] }],
  ])('name the bucket: %s', (flag, bucket) => {
    expect(flagsOf({}, bucket)).toContain(flag);
    expect(flagsOf({}, {})).not.toContain(flag);
  });

  it('hold each word once, in order', () => {
    const flags = flagsOf({}, { synthetic: true, flags: ['synthetic', 'clock_gap'] }) ?? [];
    expect(flags).toEqual([...new Set(flags)].sort());
  });
});

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
