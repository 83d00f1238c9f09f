import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parsePerps } from './loadPerps.ts';

const read = (name: string, lines: readonly string[]) =>
  parsePerps({ path: `/in/perps/${name}`, name: `perps/${name}`, text: `${lines.join('\n')}\n` });
const fundingHead = 'venue,symbol,time_raw,time_utc,funding_rate';
const stateHead = 'venue,symbol,time_raw,time_utc,open_interest,last_price,index_price,mark_price';
const candleHead = 'venue,symbol,time_raw,time_utc,open,high,low,close,volume_base,volume_quote';

describe('a table of funding', () => {
  const rows = [
    'bybit,BTC-USDT,2021-01-01 11:00:00,2021-01-01T08:00:00Z,0.0001',
    'bybit,BTC-USDT,2021-01-01 03:00:00,2021-01-01T00:00:00Z,0.00034729',
  ];

  it('takes time_utc for the time, whatever time_raw says, and orders the rows', () => {
    const { observations, refused } = read('funding_bybit_BTC.csv', [fundingHead, ...rows]);
    expect(observations.map(({ observedMs, fundingRate }) => [observedMs, fundingRate])).toEqual([
      [Date.UTC(2021, 0, 1, 0), 0.00034729],
      [Date.UTC(2021, 0, 1, 8), 0.0001],
    ]);
    expect(refused).toEqual([]);
  });

  it('counts a row given twice once, and refuses another value for its time', () => {
    const twice = [fundingHead, ...rows, rows[0] ?? '', (rows[0] ?? '').replace('0.0001', '0.0002')];
    const { observations, refused } = read('funding_bybit_BTC.csv', twice);
    expect(observations).toHaveLength(2);
    expect(refused).toEqual([
      {
        name: 'perps/funding_bybit_BTC.csv:5',
        reason: 'values differ from those of an earlier row of the same time',
      },
    ]);
  });

  it.each([
    ['another coin', 'bybit,ETH-USDT,,2021-01-01T16:00:00Z,0.0001', 'symbol is not of funding_bybit_BTC.csv'],
    [
      'another venue',
      'gate,BTC-USDT,,2021-01-01T16:00:00Z,0.0001',
      'contract is not bybit BTC-USDT, that of the rows before',
    ],
    ['no rate', 'bybit,BTC-USDT,,2021-01-01T16:00:00Z,', 'no value is given'],
    ['a word for a rate', 'bybit,BTC-USDT,,2021-01-01T16:00:00Z,high', 'funding_rate is not a number'],
    [
      'a rate of 300 %',
      'bybit,BTC-USDT,,2021-01-01T16:00:00Z,3',
      'funding_rate is more than the whole position',
    ],
    ['a local time', 'bybit,BTC-USDT,,2021-01-01 16:00:00,0.0001', 'time_utc is not an instant in UTC'],
    [
      'a day that is none',
      'bybit,BTC-USDT,,2021-02-30T16:61:00Z,0.0001',
      'time_utc is not an instant in UTC',
    ],
    ['too few cells', 'bybit,BTC-USDT,', 'has another number of cells than the header'],
  ])('refuses a row with %s and keeps the others', (_, row, reason) => {
    const { observations, refused } = read('funding_bybit_BTC.csv', [fundingHead, ...rows, row]);
    expect(observations).toHaveLength(2);
    expect(refused).toEqual([{ name: 'perps/funding_bybit_BTC.csv:4', reason }]);
  });
});

describe('a table of states', () => {
  it('of the venue without a name is Binance BTCUSDT; rows without a time are counted', () => {
    const { observations, refused } = read('oi_mark_index_BTC_hourly.csv', [
      stateHead,
      'unnamed,BTC-PERP,2023-12-03 13:00:00+00:00,2023-11-28T05:00:00Z,79003.934,36974.0,36990.66319588,36975.25751878',
      'unnamed,BTC-PERP,2024-05-21 18:00:00+00:00,,0,69000.1,0,0',
      'unnamed,BTC-PERP,2024-07-09 19:00:00+00:00,,0,57000.1,0,0',
    ]);
    expect(observations).toMatchObject([
      {
        venue: 'binance',
        symbol: 'BTC-USDT',
        openInterest: 79003.934,
        last: 36974,
        indexPrice: 36990.66319588,
        mark: 36975.25751878,
        synthetic: false,
      },
    ]);
    expect(refused).toEqual([
      { name: 'perps/oi_mark_index_BTC_hourly.csv:3', reason: 'time_utc is empty (2 rows from here)' },
    ]);
  });

  it('of coin-margined contracts holds a face value in dollars, no number of coins', () => {
    const { observations } = read('oi_binance-coinm_BTC_daily.csv', [
      stateHead,
      'binance-coinm,BTC-USD,1631664000,2021-09-15T00:00:00Z,713650900,,,',
    ]);
    expect(observations).toMatchObject([{ openInterest: null, openInterestUsd: 713650900 }]);
  });
});

describe('a table of candles', () => {
  it('gives volume in dollars as the venue does, else at the close, and says which', () => {
    const day = read('klines_binance_BTC_1d.csv', [
      candleHead,
      'binance,BTC-USDT,1704844800000,2024-01-10T00:00:00Z,46113.90,47699.30,44291.50,46662.90,668657.474,30628280360.85305',
    ]);
    expect(day.observations).toMatchObject([
      { volumeUsd: 30628280360.85305, volumeUsdBasis: 'quote', intervalMinutes: 1440, last: 46662.9 },
    ]);
    const hour = read('klines_binance_BTC_1h.csv', [
      candleHead,
      'binance,BTC-USDT,1692921600000,2023-08-25T00:00:00Z,26164.6,26177,26107.2,26000,2,',
    ]);
    expect(hour.observations).toMatchObject([
      { volumeUsd: 52_000, volumeUsdBasis: 'close', intervalMinutes: 60, volumeBase: 2 },
    ]);
  });

  it('takes their length from the least distance where the name does not say it', () => {
    const row = (hour: string) => `binance,BTC-USDT,,2024-01-10T${hour}:00:00Z,1,1,1,1,1,1`;
    const { observations } = read('candles_BTC.csv', [candleHead, row('00'), row('04'), row('12')]);
    expect(observations.map(({ intervalMinutes }) => intervalMinutes)).toEqual([240, 240, 240]);
  });

  it('refuses a table whose candles do not start at multiples of their length', () => {
    const row = 'binance,BTC-USDT,,2024-01-10T00:30:00Z,1,1,1,1,1,1';
    expect(() => read('klines_binance_BTC_1h.csv', [candleHead, row])).toThrow(
      'holds candles that are not of 60 minutes from the start of a day',
    );
  });
});

it('a table of another form is refused with the headers that are read', () => {
  expect(() =>
    read('BTC.csv', ['venue,symbol,time_utc,price', 'binance,BTC-USDT,2024-01-10T00:00:00Z,1']),
  ).toThrow('has none of the headers');
});

it('a table refuses the rows whose figures no venue can mean, and keeps zeros, which say that there is none', () => {
  const path = '/in/perps/oi_bybit_BTC.csv';
  const row = (hour: string, cells: string) => `bybit,BTC-USDT,,2024-01-10T${hour}:00:00Z,${cells}`;
  const lines = [
    stateHead,
    row('00', '5,60001,60000,60010'),
    row('01', '5,60001,60000,60010000'),
    row('02', '5,60001,60000,1'),
    row('03', '0,60001,0,0'),
  ];
  const table = { path, name: 'perps/oi_bybit_BTC.csv', text: `${lines.join('\n')}\n` };
  const { observations, refused } = parsePerps({ ...table, bounds: { floor: 1e-10, ceiling: 1e7 } });
  expect(observations.map(({ mark }) => mark)).toEqual([60010, 0]);
  expect(refused.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
    'perps/oi_bybit_BTC.csv:3 mark 60010000 is not between 1e-10 and 10000000',
    'perps/oi_bybit_BTC.csv:4 mark 1 is 0.0000167 times the index 60000',
  ]);
  expect(parsePerps(table).observations).toHaveLength(4);
});

const shared = resolve('../shared/data/perps');

describe('the tables beside the project', () => {
  it('are 37 of the three forms, of which two rows lack a time', async (ctx) => {
    if (!existsSync(shared)) ctx.skip('../shared/data is not beside the project');
    const kinds = new Map<string, number>();
    const reasons: string[] = [];
    for (const name of await readdir(shared)) {
      const text = await readFile(join(shared, name), 'utf8');
      const bounds = { floor: 1e-10, ceiling: 1e7 };
      const { observations, refused } = parsePerps({ path: join(shared, name), name, text, bounds });
      const kind = observations[0]?.kind ?? 'none';
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      reasons.push(...refused.map(({ name: at, reason }) => `${at} ${reason}`));
    }
    expect(Object.fromEntries(kinds)).toEqual({ funding: 23, state: 8, candle: 6 });
    expect(reasons).toEqual(['oi_mark_index_BTC_hourly.csv:3958 time_utc is empty (2 rows from here)']);
  });
});
