import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BinanceTable, madeUpPast } from '../../../fixtures/replicas/binancePast.ts';
import { type VenueReplica, venueReplica } from '../../../fixtures/replicas/venueReplica.ts';
import { realFiles } from '../../effects.ts';
import { sha256Hex } from '../../release/artifact.ts';
import { parsePerps } from '../../warehouse/load/loadPerps.ts';
import { fetchHistory, type HistoryResult } from './fetchHistory.ts';

const contract = { venue: 'binance', symbol: 'BTC-USDT' };
const [marks, candles] = ['/fapi/v1/markPriceKlines', '/fapi/v1/klines'];
const interest = '/futures/data/openInterestHist';
const fundings = '/fapi/v1/fundingRate';
const quarterHourMs = 900_000;

describe('the past of Binance', () => {
  let directory: string;
  let replica: VenueReplica;
  let neighbour: VenueReplica;
  let now: Date;
  let venueNow: () => Date;
  let past: BinanceTable;
  let slept: number;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'issuer-binance-'));
    now = new Date('2026-11-23T10:07:00Z');
    venueNow = () => now;
    past = madeUpPast;
    slept = 0;
    neighbour = await venueReplica(() => now);
    replica = await venueReplica(() => venueNow(), {
      mark: (at) => past.mark(at),
      index: (at) => past.index(at),
      openInterest: (at) => past.openInterest(at),
      candle: (at) => past.candle(at),
      funding: (at) => past.funding(at),
    });
  });
  afterEach(async () => {
    await Promise.all([replica.close(), neighbour.close()]);
    await rm(directory, { recursive: true, force: true });
  });

  const fetchDays = (days: number, contracts = [contract]) =>
    fetchHistory({
      directory,
      contracts,
      days,
      signal: new AbortController().signal,
      effects: {
        clock: {
          now: () => now,
          sleep: async (ms: number) => {
            slept += ms;
          },
        },
        log: () => undefined,
        files: realFiles(),
      },
      network: { random: () => 0, origins: { binance: replica.url, bybit: neighbour.url } },
    });
  const stored = async (series: string) => {
    const names = (await readdir(join(directory, 'perps')).catch(() => [])).sort();
    const tables = await Promise.all(
      names
        .filter((one) => one.startsWith(`history_${series}_`))
        .map(async (name) => {
          const path = join(directory, 'perps', name);
          return parsePerps({ path, name, text: await readFile(path, 'utf8') });
        }),
    );
    expect(tables.flatMap(({ refused }) => refused)).toEqual([]);
    return tables.flatMap(({ observations }) => observations);
  };
  const told = (results: readonly HistoryResult[]) =>
    Object.fromEntries(results.map(({ series, status, rows }) => [series, `${status} ${rows}`]));
  const says = (json: unknown) => ({ kind: 'status', status: 200, body: JSON.stringify(json) }) as const;
  const at = (hour: number, minute = 0) => Date.UTC(2026, 10, 23, hour, minute);
  const bar = (time: number, open: string) => [
    time,
    open,
    '9',
    '1',
    '5',
    '0',
    time + 1,
    '0',
    1,
    '0',
    '0',
    '0',
  ];

  it('is fetched as a night reads it, a stamp some milliseconds late counts for its hour, every answer is kept', async () => {
    // from 10:15 of the day before: 95 quarter hours ended by 10:00; open interest speaks of 10:00 itself as well
    expect(told(await fetchDays(1))).toEqual({
      funding: 'fetched 3',
      interest: 'fetched 96',
      mark: 'fetched 95',
      index: 'fetched 95',
      candle: 'fetched 95',
    });
    expect((await stored('mark')).at(-1)).toMatchObject({
      ...contract,
      kind: 'state',
      observedMs: at(9, 45),
      mark: 60_000 + 39 + 1,
      indexPrice: null,
    });
    expect((await stored('candle')).at(-1)).toMatchObject({
      intervalMinutes: 15,
      last: 60_000 + 39 + 3,
      volumeBase: 10.5,
      volumeUsd: 630_000.25,
      volumeUsdBasis: 'quote',
    });
    expect((await stored('funding')).map((one) => [one.observedMs, one.fundingIntervalHours])).toEqual([
      [Date.UTC(2026, 10, 22, 16), null],
      [at(0), null],
      [at(8), 8],
    ]);
    const lines = await readFile(join(directory, 'answers', 'history-binance_2026-11-23.ndjson'), 'utf8');
    const kept = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(kept.map(({ url }) => new URL(url).pathname)).toEqual([
      '/fapi/v1/time',
      fundings,
      interest,
      marks,
      '/fapi/v1/indexPriceKlines',
      candles,
    ]);
    for (const { text, sha256 } of kept.filter((one) => one.text !== undefined)) {
      expect(sha256Hex(text)).toBe(sha256);
    }
  });

  it('comes in pages that weigh 2, open interest no further back than thirty days, which is said', async () => {
    const results = await fetchDays(60);
    expect(told(results)).toMatchObject({
      mark: 'fetched 5759',
      interest: 'fetched 2876',
      funding: 'fetched 180',
    });
    expect(replica.calls(marks)).toHaveLength(Math.ceil(5759 / 499));
    expect(new Set(replica.calls(marks).map(({ query }) => query.get('limit')))).toEqual(new Set(['499']));
    expect(replica.calls(interest)).toHaveLength(6);
    expect(results.find(({ series }) => series === 'interest')?.flags).toEqual(['older_not_served']);
    const times = (await stored('mark')).map(({ observedMs }) => observedMs);
    expect(new Set(times.map((time, i) => time - (times[i - 1] ?? time - quarterHourMs)))).toEqual(
      new Set([quarterHourMs]),
    );
  });

  it('goes on after an end in the middle, and asks only for what is missing', async () => {
    replica.misbehave(marks, { kind: 'answer' }, says({ code: -1, msg: 'schema of another day' }));
    const first = await fetchDays(30);
    expect(told(first)).toMatchObject({ mark: 'failed 499', index: 'fetched 2879' });
    expect(first.find(({ series }) => series === 'mark')?.reason).toContain('documented shape');
    const before = replica.calls(candles).length;
    expect(told(await fetchDays(30))).toMatchObject({
      mark: 'fetched 2380',
      index: 'fetched 0',
      candle: 'fetched 0',
    });
    expect(replica.calls(candles)).toHaveLength(before);
  });

  it('waits as long as a 429 asks; a 418 leaves the venue alone for as long as its ban lasts', async () => {
    replica.misbehave(marks, { kind: 'status', status: 429, body: '{}', headers: { 'retry-after': '37' } });
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 95' });
    expect(slept).toBeGreaterThanOrEqual(37_000);
    now = new Date('2026-11-23T11:00:00Z');
    replica.misbehave(fundings, {
      kind: 'status',
      status: 418,
      body: '{}',
      headers: { 'retry-after': '3600' },
    });
    const banned = await fetchDays(1, [contract, { venue: 'bybit', symbol: 'BTC-USDT' }]);
    const [own, other] = ['binance', 'bybit'].map((one) => banned.filter(({ venue }) => venue === one));
    expect(Object.values(told(own ?? []))).toEqual(Array(5).fill('failed 0'));
    expect(told(other ?? [])).toMatchObject({ mark: 'fetched 96' });
    const asked = replica.received.length;
    now = new Date('2026-11-23T11:59:00Z');
    expect(Object.values(told(await fetchDays(1)))).toEqual(Array(5).fill('failed 0'));
    expect(replica.received).toHaveLength(asked);
    now = new Date('2026-11-23T12:01:00Z');
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 8' });
  });

  it('lets one contract fail that the venue does not know, and fetches the others', async () => {
    const results = await fetchDays(1, [{ venue: 'binance', symbol: 'COIN50-USDT' }, contract]);
    expect(results.slice(0, 5).map(({ status }) => status)).toEqual(Array(5).fill('failed'));
    expect(results[0]?.reason).toContain('answered 400');
    expect(told(results.slice(5))).toMatchObject({ mark: 'fetched 95', funding: 'fetched 3' });
  });

  it.each([
    ['a time not asked for', [bar(at(10), '60000')], 'not asked for'],
    ['two values of one time', [bar(at(9), '60000'), bar(at(9), '60001')], 'says two things of'],
    ['a word for a price', [bar(at(9), 'n/a')], 'documented shape'],
    ['prices of another contract', [bar(at(9), '3800')], 'not that of BTCUSDT'],
    ['an object for a list', { rows: [] }, 'documented shape'],
  ])('is refused with %s, and the other series are fetched', async (_, answer, reason) => {
    replica.misbehave(marks, says(answer));
    const results = await fetchDays(1);
    expect(told(results)).toMatchObject({ mark: 'failed 0', index: 'fetched 95', candle: 'fetched 95' });
    expect(results.find(({ series }) => series === 'mark')?.reason).toContain(reason);
    expect(await stored('mark')).toEqual([]);
  });

  it('follows a price that is four times what it was a quarter hour ago, as open interest says too', async () => {
    await fetchDays(1);
    const factor = (time: number) => (time < at(10) ? 1 : 4);
    past = {
      ...madeUpPast,
      mark: (time) => String(Number(madeUpPast.mark(time)) * factor(time)),
      index: (time) => String(Number(madeUpPast.index(time)) * factor(time)),
      candle: (time) =>
        (madeUpPast.candle(time) ?? []).map((cell, i) =>
          i < 4 ? String(Number(cell) * factor(time)) : cell,
        ),
    };
    now = new Date('2026-11-23T12:07:00Z');
    const moved = { mark: 'fetched 8', index: 'fetched 8', candle: 'fetched 8', interest: 'fetched 8' };
    expect(told(await fetchDays(1))).toMatchObject(moved);
    expect((await stored('mark')).at(-1)?.mark).toBe((60_000 + 47 + 1) * 4);
  });

  it('takes a single trade far off as the venue states it', async () => {
    const far = at(9, 15);
    past = {
      ...madeUpPast,
      candle: (time) => (time === far ? ['9', '70000', '9', '60000', '1', '9'] : madeUpPast.candle(time)),
    };
    expect(told(await fetchDays(1))).toMatchObject({ candle: 'fetched 95' });
  });

  it('is refused with the prices of another contract where nothing but the row before speaks of the time', async () => {
    await fetchDays(1);
    now = new Date('2026-11-23T11:07:00Z');
    replica.misbehave(interest, { kind: 'status', status: 400, body: '{}' });
    replica.misbehave(marks, says([bar(at(10), '3800'), bar(at(10, 15), '3801')]));
    expect(told(await fetchDays(1))).toMatchObject({ interest: 'failed 0', mark: 'failed 0' });
    expect(told(await fetchDays(1))).toMatchObject({ interest: 'fetched 4', mark: 'fetched 4' });
  });

  it('is refused where funding or open interest names another symbol', async () => {
    replica.misbehave(fundings, says([{ symbol: 'ETHUSDT', fundingRate: '0.1', fundingTime: at(8) }]));
    const row = { symbol: 'ETHUSDT', sumOpenInterest: '1', sumOpenInterestValue: '1', timestamp: at(8) };
    replica.misbehave(interest, says([row]));
    const results = await fetchDays(1);
    expect(told(results)).toMatchObject({ funding: 'failed 0', interest: 'failed 0', mark: 'fetched 95' });
    expect(results[0]?.reason).toContain('speaks of ETHUSDT instead of BTCUSDT');
  });

  it('counts rows once that are said twice or out of order, and leaves holes open', async () => {
    const rows = [9, 8, 9].map((hour) => bar(at(hour), '60010'));
    replica.misbehave(marks, says(rows));
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 2' });
    expect((await stored('mark')).map(({ observedMs }) => observedMs)).toEqual([at(8), at(9)]);
  });

  it('gives no row where the venue has none: a contract listed this morning', async () => {
    const from = at(8);
    past = { ...madeUpPast, mark: (time) => (time < from ? null : madeUpPast.mark(time)) };
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 8', index: 'fetched 95' });
    expect((await stored('mark'))[0]?.observedMs).toBe(from);
  });

  it('says from two equal gaps that a venue pays more often now', async () => {
    past = {
      ...madeUpPast,
      funding: (time) =>
        time % (time < at(0) ? 28_800_000 : 14_400_000) === 0 ? { rate: '0.0001', lateMs: 0 } : null,
    };
    await fetchDays(2);
    expect(
      (await stored('funding')).map((one) => [one.observedMs, one.fundingIntervalHours]).slice(-5),
    ).toEqual([
      [at(-16), 8],
      [at(-8), 8],
      [at(0), 8],
      [at(4), null],
      [at(8), 4],
    ]);
  });

  it('takes no quarter hour that is open by the clock of the venue, and says that the clocks differ', async () => {
    venueNow = () => new Date('2026-11-23T09:50:00Z');
    const results = await fetchDays(1);
    expect(results.find(({ series }) => series === 'mark')).toMatchObject({
      status: 'fetched',
      flags: ['clock_gap'],
    });
    expect((await stored('mark')).at(-1)?.observedMs).toBe(at(9, 30));
    venueNow = () => now;
    expect(told(await fetchDays(1))).toMatchObject({ mark: 'fetched 1' });
  });
});
