import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type VenueReplica, venueReplica } from '../../../fixtures/replicas/venueReplica.ts';
import { type MarketWarehouse, marketWarehouse } from '../../../fixtures/rigs/marketWarehouse.ts';
import { realFiles } from '../../effects.ts';
import { syncBuckets } from '../../market/contractBuckets.ts';
import { syncProducts } from '../../market/marketStep.ts';
import { readRegistry } from '../../modelCard/readRegistry.ts';
import { sha256Hex } from '../../release/artifact.ts';
import { readRows } from '../../warehouse/build/readRows.ts';
import { parsePerps } from '../../warehouse/load/loadPerps.ts';
import { fetchHistory, type HistoryResult } from './fetchHistory.ts';

const contract = { venue: 'bybit', symbol: 'BTC-USDT' };
const mark = '/v5/market/mark-price-kline';

describe('the past of a venue', () => {
  let directory: string;
  let replica: VenueReplica;
  let now: Date;
  let venueNow: () => Date;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'issuer-history-'));
    now = new Date('2026-11-23T10:07:00Z');
    venueNow = () => now;
    replica = await venueReplica(() => venueNow());
  });
  afterEach(async () => {
    await replica.close();
    await rm(directory, { recursive: true, force: true });
  });

  const fetchDays = (days: number, contracts = [contract]) =>
    fetchHistory({
      directory,
      contracts,
      days,
      signal: new AbortController().signal,
      effects: {
        // the waits of the rate limit pass at once
        clock: { now: () => now, sleep: async () => undefined },
        log: () => undefined,
        files: realFiles(),
      },
      network: { random: () => 0, origins: { bybit: replica.url }, retry: fewRetries },
    });
  const stored = async (series: string) => {
    const names = (await readdir(join(directory, 'perps')).catch(() => [])).sort();
    const own = names.filter((one) => one.startsWith(`history_${series}_`));
    const tables = await Promise.all(
      own.map(async (name) => {
        const path = join(directory, 'perps', name);
        return parsePerps({ path, name, text: await readFile(path, 'utf8') });
      }),
    );
    expect(tables.flatMap(({ refused }) => refused)).toEqual([]);
    return tables.flatMap(({ observations }) => observations);
  };
  const told = (results: readonly HistoryResult[]) =>
    Object.fromEntries(results.map(({ series, status, rows }) => [series, `${status} ${rows}`]));

  it('is fetched as a night reads it, without the open quarter hour, every answer under its hash', async () => {
    // from 10:15 of the day before: 95 quarter hours ended by 10:00; open interest speaks of 10:00 itself as well
    expect(told(await fetchDays(1, [contract, { venue: 'hyperliquid', symbol: 'BTC-USD' }]))).toEqual({
      mark: 'fetched 95',
      index: 'fetched 95',
      interest: 'fetched 96',
      candle: 'fetched 95',
      funding: 'fetched 3',
    });
    const marks = await stored('mark');
    expect(marks.at(-1)).toMatchObject({
      ...contract,
      kind: 'state',
      observedMs: Date.UTC(2026, 10, 23, 9, 45),
      mark: 60_000 + 39 + 1,
      indexPrice: null,
    });
    expect((await stored('candle')).at(-1)).toMatchObject({
      kind: 'candle',
      intervalMinutes: 15,
      last: 60_000 + 39 + 3,
      volumeBase: 10.5,
      volumeUsd: 630_000.25,
      volumeUsdBasis: 'quote',
    });
    expect((await stored('funding')).map((one) => [one.observedMs, one.fundingIntervalHours])).toEqual([
      [Date.UTC(2026, 10, 22, 16), null],
      [Date.UTC(2026, 10, 23, 0), null],
      [Date.UTC(2026, 10, 23, 8), 8],
    ]);
    const lines = await readFile(join(directory, 'answers', 'history-bybit_2026-11-23.ndjson'), 'utf8');
    const [first] = lines.split('\n').map((line) => JSON.parse(line === '' ? '{}' : line));
    expect(sha256Hex(first.text)).toBe(first.sha256);
    expect(marks[0]?.source).toContain(first.sha256.slice(0, 16));
  });

  it('comes in pages of the documented size, in order, without a row twice or lost', async () => {
    expect(told(await fetchDays(30))).toMatchObject({ mark: 'fetched 2879', interest: 'fetched 2880' });
    expect(replica.calls(mark)).toHaveLength(3);
    expect(replica.calls('/v5/market/open-interest')).toHaveLength(15);
    const times = (await stored('mark')).map(({ observedMs }) => observedMs);
    const first = Date.UTC(2026, 9, 24, 10, 15);
    expect(times).toEqual(Array.from({ length: 2879 }, (_, i) => first + i * 900_000));
  });

  it('goes on after the newest stored row, and asks nothing where nothing has ended since', async () => {
    await fetchDays(1);
    now = new Date('2026-11-23T10:14:00Z');
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 0', candle: 'fetched 0' });
    expect(replica.calls(mark)).toHaveLength(1);
    now = new Date('2026-11-23T10:31:00Z');
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 2', candle: 'fetched 2' });
    expect(replica.calls(mark).at(-1)?.query.get('start')).toBe(String(Date.UTC(2026, 10, 23, 10)));
  });

  it('follows a true move of a price by four, which its answers state in the name of the contract', async () => {
    await fetchDays(1);
    now = new Date('2026-11-23T10:16:00Z');
    const open = String(Date.UTC(2026, 10, 23, 10));
    const list = [[open, '240000', '240100', '239900', '240050']];
    const answer = {
      retCode: 0,
      retMsg: 'OK',
      result: { symbol: 'BTCUSDT', category: 'linear', list },
      time: now.getTime(),
    };
    replica.misbehave(mark, { kind: 'status', status: 200, body: JSON.stringify(answer) });
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 1' });
    expect((await stored('mark')).at(-1)?.mark).toBe(240_000);
  });

  it('keeps the pages before one that failed, and goes on there', async () => {
    replica.misbehave(mark, { kind: 'answer' }, { kind: 'lie', members: { result: {} } });
    const [first] = await fetchDays(30);
    expect(first).toMatchObject({ series: 'mark', status: 'failed', rows: 1000 });
    expect(first?.reason).toContain('documented shape');
    expect(told(await fetchDays(30))).toMatchObject({ mark: 'fetched 1879', index: 'fetched 0' });
  });

  it('waits as told by 429; a 403 ends the venue for ten minutes, and what is stored stays', async () => {
    replica.misbehave(mark, { kind: 'status', status: 429, body: '{}' });
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 95' });
    now = new Date('2026-11-23T11:00:00Z');
    replica.misbehave(mark, { kind: 'status', status: 403, body: '{}' });
    const asked = replica.received.length;
    expect(Object.values(told(await fetchDays(1)))).toEqual(Array(5).fill('failed 0'));
    now = new Date('2026-11-23T11:05:00Z');
    expect(Object.values(told(await fetchDays(1)))).toEqual(Array(5).fill('failed 0'));
    expect(replica.received).toHaveLength(asked + 1);
    now = new Date('2026-11-23T11:11:00Z');
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 4' });
  });

  it('is left for the next run where the venue is down, after the tries of one page', async () => {
    replica.always(mark, { kind: 'drop' });
    expect(Object.values(told(await fetchDays(1)))).toEqual(Array(5).fill('failed 0'));
    expect(replica.calls('/v5/market/kline')).toHaveLength(0);
    expect(replica.calls(mark)).toHaveLength(3);
  });

  it.each([
    ['another symbol', page('ETHUSDT', [candle(9, '1')]), 'speaks of ETHUSDT instead of BTCUSDT'],
    ['a time not asked for', page('BTCUSDT', [candle(10, '1')]), 'not asked for'],
    ['two values of one time', page('BTCUSDT', [candle(9, '1'), candle(9, '2')]), 'says two things of'],
    ['a word for a price', page('BTCUSDT', [candle(9, 'n/a')]), 'documented shape'],
    ['an error in words', { retCode: 10006, retMsg: 'Too many visits!' }, '10006: Too many visits!'],
  ])('is refused with %s, and the other series are fetched', async (_, members, reason) => {
    replica.misbehave(mark, { kind: 'lie', members });
    const results = await fetchDays(1);
    expect(told(results)).toMatchObject({ mark: 'failed 0', index: 'fetched 95', funding: 'fetched 3' });
    expect(results[0]?.reason).toContain(reason);
    expect(await stored('mark')).toEqual([]);
  });

  it('counts rows once that are said twice or out of order', async () => {
    const [eight, nine] = [candle(8, '1'), candle(9, '2')];
    replica.misbehave(mark, { kind: 'lie', members: page('BTCUSDT', [eight, nine, eight]) });
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 2' });
    expect((await stored('mark')).map((one) => one.mark)).toEqual([1, 2]);
  });

  it('takes no quarter hour that is open by the clock of the venue, and says that the clocks differ', async () => {
    venueNow = () => new Date('2026-11-23T09:50:00Z');
    const results = await fetchDays(1);
    expect(results[0]).toMatchObject({ series: 'mark', status: 'fetched', flags: ['clock_gap'] });
    expect((await stored('mark')).at(-1)?.observedMs).toBe(Date.UTC(2026, 10, 23, 9, 30));
    venueNow = () => now;
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 1' });
  });
});

describe('a hole that snapshots left', () => {
  let warehouse: MarketWarehouse;
  beforeEach(async () => {
    warehouse = await marketWarehouse();
    await syncProducts(warehouse.connection, (await readRegistry()).products);
  });
  afterEach(() => warehouse.remove());

  it('is filled by the rows of the venue; where a snapshot spoke it counts, and no row is made up', async () => {
    const head = 'venue,symbol,time_utc,open_interest,last_price,index_price,mark_price';
    const row = (time: string, cells: string) => `bybit,BTC-USDT,2026-11-23T${time}:00Z,${cells}`;
    await warehouse.perps('snapshots_bybit_BTC_2026-11.csv', [
      head,
      row('09:00', '5,61,62,63'),
      row('09:46', '8,91,92,93'),
    ]);
    const marks = ['09:00', '09:15', '09:45'].map((time) => row(time, ',,,70'));
    await warehouse.perps('history_mark_bybit_BTC_USDT_2026-11.csv', [head, ...marks]);
    await warehouse.perps('history_index_bybit_BTC_USDT_2026-11.csv', [head, row('09:15', ',,71,')]);
    await syncBuckets(warehouse.connection, { until: Date.UTC(2026, 10, 24) });
    const rows = await readRows(
      warehouse.connection,
      `SELECT strftime(make_timestamp_ms(bucket_ms), '%H:%M') AS at, mark, index_price, open_interest FROM market_bucket
      WHERE bucket_length = '15m' ORDER BY bucket_ms`,
    );
    expect(rows).toEqual([
      { at: '09:00', mark: 63, index_price: 62, open_interest: 5 },
      { at: '09:15', mark: 70, index_price: 71, open_interest: null },
      { at: '09:45', mark: 93, index_price: 92, open_interest: 8 },
    ]);
  });
});

const fewRetries = {
  maxFailuresInARow: 3,
  maxFailures: 3,
  baseDelayMs: 1,
  maxDelayMs: 1,
  maxRetryAfterMs: 10,
};

function candle(hour: number, open: string): readonly string[] {
  return [String(Date.UTC(2026, 10, 23, hour)), open, '9', '1', '5'];
}

function page(symbol: string, list: readonly (readonly string[])[]): Readonly<Record<string, unknown>> {
  return { result: { symbol, category: 'linear', list } };
}
