import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type VenueReplica, venueReplica } from '../../../fixtures/replicas/venueReplica.ts';
import { realFiles } from '../../effects.ts';
import { sha256Hex } from '../../release/artifact.ts';
import { parsePerps } from '../../warehouse/load/loadPerps.ts';
import { giveObservations, type SnapshotResult, takeSnapshot } from './takeSnapshot.ts';

const contracts = [
  { venue: 'coinbase-intx', symbol: 'BTC-PERP' },
  { venue: 'binance', symbol: 'BTC-USDT' },
  { venue: 'bybit', symbol: 'BTC-USDT' },
  // no adapter: not asked
  { venue: 'hyperliquid', symbol: 'BTC-USD' },
];

describe('a snapshot of the venues', () => {
  let directory: string;
  let replica: VenueReplica;
  let now: Date;
  let venueNow: () => Date;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'issuer-snapshot-'));
    now = new Date('2026-11-23T10:00:00Z');
    venueNow = () => now;
    replica = await venueReplica(() => venueNow());
  });
  afterEach(async () => {
    await replica.close();
    await rm(directory, { recursive: true, force: true });
  });

  const snapshot = (wanted = contracts, limits: { answerMs?: number; runMs?: number } = {}) =>
    takeSnapshot({
      directory,
      contracts: wanted,
      bounds: { floor: 1e-10, ceiling: 1e7 },
      signal: new AbortController().signal,
      effects: {
        clock: {
          now: () => now,
          sleep: async (ms) => {
            now = new Date(now.getTime() + ms);
          },
        },
        log: () => undefined,
        files: realFiles(),
      },
      network: {
        ...limits,
        random: () => 0,
        origins: Object.fromEntries(contracts.map(({ venue }) => [venue, replica.url])),
      },
    });
  const later = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000);
  };
  const observed = async (venue: string) => {
    const name = (await readdir(join(directory, 'perps'))).find((one) =>
      one.startsWith(`snapshots_${venue}_`),
    );
    if (name === undefined) return [];
    const path = join(directory, 'perps', name);
    return parsePerps({ path, name, text: await readFile(path, 'utf8') }).observations;
  };
  const statuses = (results: readonly SnapshotResult[]) =>
    Object.fromEntries(results.map(({ venue, status }) => [venue, status]));
  const only = (venue: string) => contracts.filter((one) => one.venue === venue);

  it('keeps what each of three venues says, as a night reads it, and every answer under its hash', async () => {
    expect(statuses(await snapshot())).toEqual({
      'coinbase-intx': 'observed',
      binance: 'observed',
      bybit: 'observed',
    });
    const shared = {
      kind: 'snapshot',
      mark: 60010.5,
      indexPrice: 60000.25,
      last: 60012.1,
      openInterest: 80000.123,
      fundingRate: 0.0001,
      synthetic: false,
      flags: [],
    };
    expect(await observed('binance')).toMatchObject([
      { ...shared, symbol: 'BTC-USDT', fundingIntervalHours: 8 },
    ]);
    expect(await observed('bybit')).toMatchObject([{ ...shared, fundingIntervalHours: 8 }]);
    expect(await observed('coinbase-intx')).toMatchObject([
      { ...shared, symbol: 'BTC-PERP', fundingIntervalHours: 1 },
    ]);
    const answers = (await readdir(join(directory, 'answers'))).sort();
    expect(answers).toEqual(
      ['binance', 'bybit', 'coinbase-intx'].map((venue) => `${venue}_2026-11-23.ndjson`),
    );
    const lines = (await readFile(join(directory, 'answers', answers[0] ?? ''), 'utf8'))
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(4);
    for (const { sha256, text, url } of lines.map((line) => JSON.parse(line))) {
      expect(sha256Hex(text)).toBe(sha256);
      expect(url).toContain('/fapi/v1/');
    }
  });

  it.each([
    ['a time before the calendar', { time: -9e15 }],
    ['a time after it', { time: 9e15 }],
    ['a mark that no double holds', { markPrice: '1e999' }],
    ['a mark of 300 digits', { markPrice: '1e300' }],
  ])('loses the contracts of a venue that states %s, and no other', async (_, members) => {
    replica.always('/fapi/v1/premiumIndex', { kind: 'lie', members });
    const results = await snapshot();
    expect(statuses(results)).toEqual({ 'coinbase-intx': 'observed', binance: 'failed', bybit: 'observed' });
    expect(results.find(({ venue }) => venue === 'binance')?.reason).toContain(
      'is not of the documented shape',
    );
    expect(await observed('binance')).toEqual([]);
  });

  it.each([
    ['a mark below zero', { markPrice: '-5' }, 'mark -5 is not between 1e-10 and 10000000'],
    ['a mark of no coin', { markPrice: '1e8' }, 'mark 100000000 is not between 1e-10 and 10000000'],
    ['an index near nothing', { indexPrice: '1e-12' }, 'index 1e-12 is not between'],
    ['a mark a thousand times its index', { markPrice: '60000250' }, 'mark 60000250 is not between'],
    [
      'a mark a hundred times its index',
      { markPrice: '6000025' },
      'mark 6000025 is 100 times the index 60000.25',
    ],
    ['a mark a quarter of its index', { markPrice: '15000' }, 'mark 15000 is 0.25 times the index 60000.25'],
    ['funding beyond the position', { lastFundingRate: '1e10' }, 'funding rate 10000000000 is more than'],
  ])('stores nothing of an answer with %s, and keeps the answer (M8.20)', async (_, members, reason) => {
    replica.always('/fapi/v1/premiumIndex', { kind: 'lie', members });
    const results = await snapshot();
    expect(statuses(results)).toEqual({ 'coinbase-intx': 'observed', binance: 'failed', bybit: 'observed' });
    expect(results.find(({ venue }) => venue === 'binance')?.reason).toContain(reason);
    expect(await observed('binance')).toEqual([]);
    expect(await readdir(join(directory, 'answers'))).toContain('binance_2026-11-23.ndjson');
  });

  it('stores nothing without a price, none of open interest below zero, and a mark of twice its index', async () => {
    replica.say({ openInterest: '-1' });
    expect(await snapshot(only('binance'))).toMatchObject([
      { reason: expect.stringContaining('open interest -1 is no number of coins') },
    ]);
    replica.say({ openInterest: '80000' });
    replica.always('/fapi/v1/ticker/24hr', { kind: 'lie', members: { lastPrice: '0' } });
    replica.always('/fapi/v1/premiumIndex', { kind: 'lie', members: { markPrice: '0' } });
    expect(await snapshot(only('binance'))).toMatchObject([
      { reason: expect.stringContaining('gives no price') },
    ]);
    replica.always('/fapi/v1/premiumIndex', { kind: 'lie', members: { markPrice: '120000' } });
    expect(await snapshot(only('binance'))).toMatchObject([{ status: 'observed' }]);
    expect(await observed('binance')).toMatchObject([{ mark: 120_000, last: 0 }]);
  });

  it('ends an answer that drips, and loses the contracts of that venue alone', async () => {
    replica.always('/fapi/v1/premiumIndex', { kind: 'drip' });
    const results = await snapshot(contracts, { answerMs: 300 });
    expect(statuses(results)).toEqual({ 'coinbase-intx': 'observed', binance: 'failed', bybit: 'observed' });
    expect(results.find(({ venue }) => venue === 'binance')?.reason).toContain('took longer than 300 ms');
    expect(replica.calls('/fapi/v1/premiumIndex')).toHaveLength(3);
  });

  it('gives up a venue whose answers take too long in all, its other contracts unasked', async () => {
    replica.always('/fapi/v1/premiumIndex', { kind: 'drip' });
    const both = [...only('binance'), { venue: 'binance', symbol: 'ETH-USDT' }];
    const results = await snapshot(both, { runMs: 300 });
    expect(results.map(({ status, reason }) => [status, reason])).toEqual(
      both.map(() => ['failed', 'binance took longer than 0.3 s and is not waited for any more.']),
    );
    expect(replica.calls('/fapi/v1/premiumIndex')).toHaveLength(1);
  });

  it('loses the contracts of a venue that is down, and no other', async () => {
    replica.always('/fapi/v1/premiumIndex', { kind: 'drop' });
    const results = await snapshot();
    expect(statuses(results)).toEqual({ 'coinbase-intx': 'observed', binance: 'failed', bybit: 'observed' });
    expect(results.find(({ venue }) => venue === 'binance')?.reason).toContain('premiumIndex');
    // three tries and no more
    expect(replica.calls('/fapi/v1/premiumIndex')).toHaveLength(3);
  });

  it.each([418, 403])('leaves a venue that answers %i alone for ten minutes', async (status) => {
    replica.misbehave('/fapi/v1/premiumIndex', { kind: 'status', status, body: '{"code":-1003}' });
    expect(statuses(await snapshot(only('binance')))).toEqual({ binance: 'failed' });
    later(5);
    expect(statuses(await snapshot(only('binance')))).toEqual({ binance: 'failed' });
    expect(replica.calls('/fapi/v1/premiumIndex')).toHaveLength(1);
    later(6);
    expect(statuses(await snapshot(only('binance')))).toEqual({ binance: 'observed' });
  });

  it('waits as told by 429, and takes what then comes', async () => {
    replica.misbehave('/v5/market/tickers', { kind: 'status', status: 429, body: '{}' });
    expect(statuses(await snapshot(only('bybit')))).toEqual({ bybit: 'observed' });
    expect(replica.calls('/v5/market/tickers')).toHaveLength(2);
  });

  it.each([
    ['a changed schema', { result: { rows: [] } }, 'holds no contract'],
    ['another symbol', { result: { list: [ticker('ETHUSDT')] } }, 'speaks of ETHUSDT instead of BTCUSDT'],
    [
      'a word for a price',
      { result: { list: [{ ...ticker('BTCUSDT'), markPrice: 'n/a' }] } },
      'documented shape',
    ],
    ['an error in words', { retCode: 10001, retMsg: 'params error' }, '10001: params error'],
  ])('takes nothing of an answer with %s', async (_, members, reason) => {
    replica.misbehave('/v5/market/tickers', { kind: 'lie', members });
    const [result] = await snapshot(only('bybit'));
    expect(result?.reason).toContain(reason);
    expect(await readdir(directory)).not.toContain('perps');
  });

  it('takes our clock where that of a venue is minutes away, and no quote of another quarter hour', async () => {
    venueNow = () => new Date(now.getTime() + 300_000);
    expect(await snapshot(only('bybit'))).toMatchObject([{ flags: ['clock_gap'] }]);
    expect(await observed('bybit')).toMatchObject([
      { observedMs: Date.UTC(2026, 10, 23, 10), flags: ['clock_gap'] },
    ]);
    venueNow = () => new Date(now.getTime() - 3_600_000);
    const [late] = await snapshot(only('bybit'));
    expect(late?.reason).toContain('more than 15 minutes ago');
  });

  it('flags an index that stands while the mark moves', async () => {
    await snapshot(only('binance'));
    later(15);
    replica.say({ mark: '60020.5' });
    expect(await snapshot(only('binance'))).toMatchObject([{ flags: ['index_stale'] }]);
    later(15);
    replica.say({ mark: '60030.5', index: '60001' });
    expect(await snapshot(only('binance'))).toMatchObject([{ flags: [] }]);
  });

  it('keeps open interest of zero and a changed funding interval as said: buckets judge them', async () => {
    replica.say({ openInterest: '0', fundingHours: 4 });
    await snapshot(only('binance'));
    expect(await observed('binance')).toMatchObject([{ openInterest: 0, fundingIntervalHours: 4 }]);
  });

  it('goes on after a line that a killed run left half written, and gives nights whole lines alone', async () => {
    await snapshot(only('bybit'));
    const path = join(directory, 'perps', 'snapshots_bybit_BTC_2026-11.csv');
    const whole = await readFile(path, 'utf8');
    await writeFile(path, `${whole}bybit,BTC-US`);
    const target = join(directory, 'night');
    expect(await giveObservations({ directory, target })).toBe(1);
    expect(await readFile(join(target, 'perps/snapshots_bybit_BTC_2026-11.csv'), 'utf8')).toBe(whole);
    expect(await giveObservations({ directory, target })).toBe(0);
    later(15);
    await snapshot(only('bybit'));
    const { observations, refused } = parsePerps({ path, name: 'x', text: await readFile(path, 'utf8') });
    expect(observations).toHaveLength(2);
    expect(refused).toMatchObject([{ reason: 'has another number of cells than the header' }]);
  });
});

function ticker(symbol: string): Readonly<Record<string, string>> {
  return {
    symbol,
    lastPrice: '1',
    indexPrice: '1',
    markPrice: '1',
    openInterest: '1',
    fundingRate: '0',
  };
}
