import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MarketWarehouse, marketWarehouse } from '../../fixtures/rigs/marketWarehouse.ts';
import { readRegistry } from '../modelCard/readRegistry.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { syncBuckets } from './contractBuckets.ts';
import { syncProducts } from './marketStep.ts';

const stateHead =
  'venue,symbol,time_utc,open_interest,last_price,index_price,mark_price,funding_rate,funding_interval_hours,flags';
const fundingHead = 'venue,symbol,time_utc,funding_rate';
const candleHead = 'venue,symbol,time_utc,open,high,low,close,volume_base,volume_quote';
const until = Date.UTC(2024, 2, 3);
const { products } = await readRegistry();

describe('buckets of a contract (M8.2)', () => {
  let warehouse: MarketWarehouse;
  beforeEach(async () => {
    warehouse = await marketWarehouse();
    await syncProducts(warehouse.connection, products);
  });
  afterEach(() => warehouse.remove());

  const buckets = async (length: string) => {
    await syncBuckets(warehouse.connection, { until });
    const rows = await readRows(
      warehouse.connection,
      `SELECT strftime(make_timestamp_ms(bucket_ms), '%d %H:%M') AS at, * EXCLUDE (venue, symbol, bucket_length, bucket_ms)
      FROM market_bucket WHERE bucket_length = '${length}' ORDER BY bucket_ms`,
    );
    return rows;
  };
  const state = (time: string, cells: string) => `binance,BTC-USDT,2024-03-${time}Z,${cells}`;

  it('hold the last state of their time, not what came first in the table, and nothing of the bucket before', async () => {
    await warehouse.perps('state_BTC.csv', [
      stateHead,
      state('01T10:50:00', '110,,61000,61010,,,'),
      state('01T10:05:00', '100,,60000,60012,,,'),
      state('01T12:00:00', ',,62000,,,,'),
      state('01T13:00:00', ',62100,,62090,,,'),
    ]);
    expect(await buckets('1h')).toMatchObject([
      { at: '01 10:00', mark: 61010, index_price: 61000, open_interest: 110, observations: 2 },
      // an index alone is no price: the bucket of 12:00 does not exist
      { at: '01 13:00', mark: 62090, index_price: null, open_interest: null, last: 62100 },
    ]);
    expect(await buckets('15m')).toHaveLength(3);
    expect(await buckets('1d')).toMatchObject([{ mark: 62090, index_price: 62000, open_interest: 110 }]);
  });

  it('sum the candles of a day, or none where one is missing; a candle of the bucket counts before its parts', async () => {
    const hours = Array.from({ length: 24 }, (_, h) => String(h).padStart(2, '0'));
    const candle = (day: string, hour: string) =>
      `binance,BTC-USDT,2024-03-${day}T${hour}:00:00Z,1,1,1,100,2,`;
    await warehouse.perps('klines_BTC_1h.csv', [
      candleHead,
      ...hours.map((hour) => candle('01', hour)),
      ...hours.slice(1).map((hour) => candle('02', hour)),
    ]);
    expect(await buckets('1d')).toMatchObject([
      { at: '01 00:00', volume_base: 48, volume_usd: 4800, last: 100, flags: 'volume_usd_from_close' },
      { at: '02 00:00', volume_base: null, volume_usd: null, flags: 'volume_incomplete' },
    ]);
    expect(await buckets('15m')).toEqual([]);
    await warehouse.perps('klines_BTC_1d.csv', [
      candleHead,
      'binance,BTC-USDT,2024-03-02T00:00:00Z,1,1,1,101,47,4747.5',
    ]);
    expect((await buckets('1d')).at(-1)).toMatchObject({ volume_base: 47, volume_usd: 4747.5, flags: '' });
  });

  it('know the funding interval from the venue, then from two equal gaps, and say when it changed', async () => {
    const paid = (time: string) => `binance,BTC-USDT,2024-03-${time}:00:00Z,0.0001`;
    await warehouse.perps('state_BTC.csv', [
      stateHead,
      ...['01T00', '01T08', '01T16', '01T20', '02T00', '02T04'].map((time) =>
        state(`${time}:00:00`, '1,,60000,60000,,,'),
      ),
    ]);
    await warehouse.perps('funding_BTC.csv', [
      fundingHead,
      ...['01T00', '01T08', '01T16', '01T20', '02T00', '02T04'].map(paid),
    ]);
    const rows = await buckets('1h');
    expect(rows.map((row) => [row['at'], row['funding_interval_hours'], row['flags']])).toEqual([
      ['01 00:00', 8, ''],
      ['01 08:00', 8, ''],
      ['01 16:00', 8, ''],
      // one gap of four hours is no proof yet
      ['01 20:00', 8, ''],
      ['02 00:00', 4, 'funding_interval_changed'],
      ['02 04:00', 4, ''],
    ]);
  });

  it('are made anew up to the third payment after one that came late: it shows how often the venue had paid', async () => {
    const { connection } = warehouse;
    const paid = (time: string) => `binance,BTC-USDT,2024-${time}:00:00Z,0.0001`;
    const marks = ['02-29T20', '03-01T00', '03-01T04', '03-02T04'];
    await warehouse.perps('state_BTC.csv', [
      stateHead,
      ...marks.map((time) => `binance,BTC-USDT,2024-${time}:00:00Z,1,,60000,60000,,,`),
    ]);
    await warehouse.perps('funding_BTC.csv', [fundingHead, ...marks.slice(1).map(paid)]);
    const lastHour = async () => (await buckets('1h')).at(-1);
    expect(await lastHour()).toMatchObject({ at: '02 04:00', funding_interval_hours: 8, flags: '' });
    await warehouse.perps('late_BTC.csv', [fundingHead, paid('02-29T20')]);
    // two gaps of four hours end with the payment before it
    expect(await lastHour()).toMatchObject({
      at: '02 04:00',
      funding_interval_hours: 8,
      flags: 'funding_interval_changed',
    });
    expect(await syncBuckets(connection, { until })).toEqual([]);
  });

  it('say where the last mark and the last index are more than a quarter of an hour apart (M8.2c)', async () => {
    await warehouse.perps('state_BTC.csv', [
      stateHead,
      state('01T10:00:00', ',,60000,60010,,,'),
      state('01T10:15:00', ',,,60020,,,'),
      state('01T11:00:00', ',,61000,61010,,,'),
      state('01T11:30:00', ',,,61500,,,'),
    ]);
    expect(await buckets('1h')).toMatchObject([
      { mark: 60020, index_price: 60000, flags: '' },
      { mark: 61500, index_price: 61000, flags: 'mark_index_apart' },
    ]);
    expect((await buckets('15m')).map(({ flags }) => flags)).toEqual(['', '', '', '']);
  });

  it('say where open interest is of another time than the mark (M8.2d)', async () => {
    await warehouse.perps('state_BTC.csv', [
      stateHead,
      state('01T10:00:00', '100,,60000,60010,,,'),
      state('01T10:15:00', ',,60005,60020,,,'),
      state('01T10:30:00', ',,60015,60030,,,'),
    ]);
    expect(await buckets('1h')).toMatchObject([
      { open_interest: 100, mark: 60030, flags: 'open_interest_apart' },
    ]);
    expect((await buckets('15m')).map(({ flags }) => flags)).toEqual(['', '', '']);
  });

  it('take no price or open interest of zero or below, and say so', async () => {
    await warehouse.perps('state_BTC.csv', [
      stateHead,
      state('01T10:00:00', '0,60000,60000,60000,,,index_stale'),
      state('01T11:00:00', '-5,60000,0,60000,,,'),
    ]);
    expect(await buckets('1h')).toMatchObject([
      { open_interest: null, index_price: 60000, flags: 'index_stale|open_interest_not_positive' },
      { open_interest: null, index_price: null, flags: 'open_interest_not_positive|price_not_positive' },
    ]);
  });

  it('are made of the last table by name where two speak of one instant', async () => {
    await warehouse.perps('b_BTC.csv', [stateHead, state('01T10:00:00', '2,,60000,60002,,,')]);
    await warehouse.perps('a_BTC.csv', [stateHead, state('01T10:00:00', '1,,60000,60001,,,')]);
    expect(await buckets('1h')).toMatchObject([{ mark: 60002, open_interest: 2 }]);
  });

  it('are none of contracts that no product has, and none that end after the day asked for', async () => {
    await warehouse.perps('state_BTC.csv', [
      stateHead,
      state('02T23:50:00', '1,,60000,60001,,,'),
      state('03T00:00:00', '1,,60000,60001,,,'),
    ]);
    await warehouse.perps('kraken_BTC.csv', [
      stateHead,
      'kraken,BTC-USD,2024-03-01T10:00:00Z,1,,60000,60001,,,',
    ]);
    expect(await buckets('15m')).toMatchObject([{ at: '02 23:45' }]);
  });

  it('that changed are told from the first one on; the same observations change none', async () => {
    const { connection } = warehouse;
    const lines = (mark: number) => [
      stateHead,
      state('01T10:00:00', '1,,60000,60001,,,'),
      state('02T10:00:00', `1,,60000,${mark},,,`),
    ];
    await warehouse.perps('state_BTC.csv', lines(60001));
    expect((await syncBuckets(connection, { until })).map(({ from }) => from)).toEqual([
      Date.UTC(2024, 2, 1, 10),
      Date.UTC(2024, 2, 1),
      Date.UTC(2024, 2, 1, 10),
    ]);
    expect(await syncBuckets(connection, { until })).toEqual([]);
    await warehouse.perps('state_BTC.csv', lines(60002));
    expect(await syncBuckets(connection, { until })).toEqual([
      { venue: 'binance', symbol: 'BTC-USDT', bucketLength: '15m', from: Date.UTC(2024, 2, 2, 10) },
      { venue: 'binance', symbol: 'BTC-USDT', bucketLength: '1d', from: Date.UTC(2024, 2, 2) },
      { venue: 'binance', symbol: 'BTC-USDT', bucketLength: '1h', from: Date.UTC(2024, 2, 2, 10) },
    ]);
  });
});
