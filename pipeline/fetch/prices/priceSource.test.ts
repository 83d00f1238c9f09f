import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addDays } from '../../../calculators/exact/civilDate.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { type PriceFault, type PriceReplica, priceReplica } from '../../../fixtures/replicas/priceReplica.ts';
import { type VirtualClock, virtualClock } from '../../../fixtures/rigs/virtualClock.ts';
import type { LogEvent } from '../../effects.ts';
import { coinGecko } from './coinGecko.ts';
import { fetchPrices, type PriceFetchReport } from './priceSource.ts';

let root: string;
let clock: VirtualClock;
let log: LogEvent[];
let replica: PriceReplica | null;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fetch-prices-'));
  clock = virtualClock('2026-02-08T03:00:00Z');
  log = [];
  replica = null;
});
afterEach(async () => {
  await replica?.close();
  await rm(root, { recursive: true, force: true });
});

// a close that tells its own coin and date, so that a shift by a day or a mix-up shows
const closeOf = (coin: string, date: string) =>
  coin.length * 1000 + Number(date.slice(5).replace('-', '')) / 8;

async function start({
  faults,
  missing,
  change,
}: {
  faults?: Record<string, PriceFault[]>;
  missing?: string[];
  change?: [string, number];
} = {}) {
  replica = await priceReplica({
    now: () => clock.now(),
    closes: (coin, date) => {
      if (missing?.includes(date)) return null;
      return change?.[0] === date ? change[1] : closeOf(coin, date);
    },
    ...(faults === undefined ? {} : { faults }),
  });
  return replica;
}

async function run({
  apiKey,
  assets,
  from,
  to,
  signal,
}: Partial<{
  assets: string[];
  from: string;
  to: string;
  apiKey: string | null;
  signal: AbortSignal;
}> = {}): Promise<PriceFetchReport> {
  const effects = { clock, log: (event: LogEvent) => log.push(event) };
  const source = coinGecko({
    rawRoot: join(root, 'raw'),
    apiKey: apiKey ?? null,
    baseUrl: replica?.origin ?? '',
    effects,
    network: { random: () => 0.5 },
  });
  try {
    return await fetchPrices({
      source,
      assets: assets ?? ['BTC'],
      from: from ?? '2026-02-03',
      to: to ?? '2026-02-07',
      target: join(root, 'source'),
      effects,
      signal: signal ?? new AbortController().signal,
    });
  } finally {
    await source.close();
  }
}

async function failure(work: Promise<unknown>): Promise<IssuerError> {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof IssuerError)) throw new Error(`expected an IssuerError, got ${String(error)}`);
  return error;
}

const csv = (asset: string) => readFile(join(root, `source/prices/${asset}.csv`), 'utf8');
async function seed(asset: string, text: string): Promise<void> {
  await mkdir(join(root, 'source/prices'), { recursive: true });
  await writeFile(join(root, `source/prices/${asset}.csv`), text);
}

describe('daily closes', () => {
  it('dates the 00:00 point as the close of the day before, in the documented layout', async () => {
    await start();
    const report = await run();
    expect(report).toMatchObject({
      source: 'coingecko',
      upTo: '2026-02-07',
      requests: 1,
      unsupported: [],
      failed: [],
      assets: [{ asset: 'BTC', path: 'prices/BTC.csv', added: 5, unchanged: 0, conflicts: [], gaps: [] }],
    });
    expect(await csv('BTC')).toBe(
      [
        'date,asset,close,source',
        '2026-02-03,BTC,7025.375,coingecko',
        '2026-02-04,BTC,7025.5,coingecko',
        '2026-02-05,BTC,7025.625,coingecko',
        '2026-02-06,BTC,7025.75,coingecko',
        '2026-02-07,BTC,7025.875,coingecko',
        '',
      ].join('\n'),
    );
  });

  it('serves the basket of eight and more', async () => {
    await start();
    const assets = ['BTC', 'ETH', 'SOL', 'LTC', 'LINK', 'DOGE', 'ADA', 'AVAX', 'BNB', 'HYPE', 'TRX', 'XRP'];
    const report = await run({ assets });
    expect(report.assets.map((a) => [a.asset, a.added])).toEqual(assets.map((a) => [a, 5]));
  });

  it('never takes today, nor yesterday before it is settled', async () => {
    await start();
    const today = await run({ to: '2026-02-08' });
    expect(today.upTo).toBe('2026-02-07');
    expect(await csv('BTC')).not.toContain('2026-02-08');
    clock.advance(21 * 3_600_000 + 39 * 60_000);
    expect((await run({ to: '2026-02-09' })).upTo).toBe('2026-02-07');
    clock.advance(60_000);
    expect((await run({ to: '2026-02-09' })).upTo).toBe('2026-02-08');
  });

  it('reports days the source lacks and fills nothing in', async () => {
    await start({ missing: ['2026-02-05'] });
    expect((await run()).assets[0]).toMatchObject({ added: 4, gaps: ['2026-02-05'] });
    expect(await csv('BTC')).not.toContain('2026-02-05');
  });

  it('reports the days before the 365 the public API serves as gaps instead of asking for them', async () => {
    const { requests } = await start();
    const from = addDays('2026-02-08', -400);
    const [asset] = (await run({ from })).assets;
    expect(asset?.gaps.at(0)).toBe(from);
    // the first 00:00 point inside 364 days to the second is of 2025-02-10, the close of 2025-02-09
    expect(asset?.gaps.at(-1)).toBe('2025-02-08');
    expect(requests[0]?.from).toBe(Date.parse('2026-02-08T03:00:00Z') / 1000 - 364 * 86_400);
  });

  it('always asks for a range that is answered by the day', async () => {
    const { requests } = await start();
    await run({ from: '2026-02-07', to: '2026-02-07' });
    expect((requests[0]?.to ?? 0) - (requests[0]?.from ?? 0)).toBe(91 * 86_400);
  });

  it('asks nothing when every day is stored, and once for all when one is missing', async () => {
    const { requests } = await start();
    await run();
    const again = await run();
    expect(again).toMatchObject({ requests: 0, assets: [{ added: 0, gaps: [] }] });
    expect(requests).toHaveLength(1);
    const wider = await run({ from: '2026-01-20' });
    expect(wider).toMatchObject({ requests: 1, assets: [{ added: 14, unchanged: 5, conflicts: [] }] });
  });

  it('keeps a stored close that differs and reports the conflict', async () => {
    await start({ change: ['2026-02-04', 9999.5] });
    await seed('BTC', 'date,asset,close,source\n2026-02-04,BTC,7025.50,coingecko\n');
    const [asset] = (await run()).assets;
    expect(asset).toMatchObject({
      added: 4,
      unchanged: 0,
      conflicts: [{ date: '2026-02-04', stored: '7025.50', fetched: '9999.5' }],
    });
    expect(await csv('BTC')).toContain('\n2026-02-04,BTC,7025.50,coingecko\n');
    expect(await csv('BTC')).not.toContain('9999.5');
  });

  it('keeps rows of other sources, their text and their order', async () => {
    await start();
    const stored = ['2014-09-17,BTC,457.3340148925781,yahoo', '2026-02-04,BTC,7000,cryptocompare'];
    await seed('BTC', `date,asset,close,source\r\n${stored.join('\r\n')}\r\n`);
    expect((await run()).assets[0]).toMatchObject({ added: 5, conflicts: [] });
    const lines = (await csv('BTC')).split('\n');
    expect(lines.slice(0, 5)).toEqual([
      'date,asset,close,source',
      stored[0],
      '2026-02-03,BTC,7025.375,coingecko',
      stored[1],
      '2026-02-04,BTC,7025.5,coingecko',
    ]);
  });

  it.each([
    ['another header', 'day,asset,close\n'],
    ['a cut row', 'date,asset,close,source\n2026-02-04,BTC,70\n2026'],
    ['an impossible day', 'date,asset,close,source\n2026-02-30,BTC,70,yahoo\n'],
    ['a close of zero', 'date,asset,close,source\n2026-02-03,BTC,0,yahoo\n'],
    ['nothing', ''],
  ])('leaves a stored file with %s as it is', async (_, text) => {
    const { requests } = await start();
    await seed('BTC', text);
    const error = await failure(run());
    expect(error.toCli()).toMatchObject({ code: 'validation_failed', exitCode: 5 });
    expect(await csv('BTC')).toBe(text);
    expect(requests).toEqual([]);
  });

  it('names assets it does not know and fetches the others', async () => {
    await start();
    const report = await run({ assets: ['NOPE', 'ETH'] });
    expect(report.unsupported).toEqual(['NOPE']);
    expect(report.assets.map((a) => a.asset)).toEqual(['ETH']);
  });

  it.each([
    [{ from: '2026-02-30' }],
    [{ from: '2026-02-07', to: '2026-02-03' }],
    [{ from: '1999-01-01' }],
    [{ assets: ['../BTC'] }],
    [{ assets: ['btc'] }],
  ])('refuses %j as usage', async (input) => {
    const { requests } = await start();
    expect((await failure(run(input))).toCli()).toMatchObject({ code: 'usage', exitCode: 2 });
    expect(requests).toEqual([]);
  });
});

describe('a price source that misbehaves', () => {
  const day = 86_400_000;
  const midnight = Date.parse('2026-02-05T00:00:00Z');

  it.each([
    ['garbage', '<html>'],
    ['a cut document', '{"prices":[[1770249600000,70'],
    ['another shape', '{"data":[]}'],
    ['a string for a price', `{"prices":[[${midnight},"70"]]}`],
    ['a price of zero', `{"prices":[[${midnight},0]]}`],
    ['a negative price', `{"prices":[[${midnight},-5]]}`],
    ['a null price', `{"prices":[[${midnight},null]]}`],
    ['a fractional stamp', `{"prices":[[${midnight}.5,70]]}`],
    ['two closes of one day', `{"prices":[[${midnight},70],[${midnight},71]]}`],
    ['points off midnight', `{"prices":[[${midnight + 1},70],[${midnight + day + 1},70]]}`],
    ['too many points', `{"prices":[${Array(5_001).fill(`[${midnight},70]`).join()}]}`],
    ['too many bytes', `{"prices":[],"x":"${'y'.repeat(2 << 20)}"}`],
  ])('stores nothing of %s', async (_, text) => {
    const { requests } = await start({ faults: { bitcoin: [{ kind: 'body', text }] } });
    const error = await failure(run());
    expect(error.toCli()).toMatchObject({ code: 'validation_failed', exitCode: 5 });
    await expect(csv('BTC')).rejects.toThrow('ENOENT');
    expect(requests).toHaveLength(1);
  });

  it('refuses hourly points', async () => {
    await start({ faults: { bitcoin: [{ kind: 'hourly' }] } });
    expect((await failure(run())).message).toContain('not at 00:00 UTC');
  });

  it('tries again after a cut and honours Retry-After', async () => {
    const { requests } = await start({
      faults: {
        bitcoin: [
          { kind: 'cut', afterBytes: 100 },
          { kind: 'status', status: 429, headers: { 'retry-after': '60' } },
        ],
      },
    });
    expect((await run()).assets[0]?.added).toBe(5);
    expect(requests).toHaveLength(3);
    expect((requests[2]?.at ?? 0) - (requests[1]?.at ?? 0)).toBe(60_000);
  });

  it('sends five requests a minute without a key and thirty with one, which only the header carries', async () => {
    const { requests } = await start();
    await run({ assets: ['BTC', 'ETH', 'SOL'] });
    await run({ assets: ['LTC', 'ADA'], apiKey: 'CG-abc' });
    const gaps = requests.slice(1).map((r, i) => r.at - (requests[i]?.at ?? 0));
    expect(gaps).toEqual([12_000, 12_000, 0, 2_000]);
    expect(requests.map((r) => r.key)).toEqual([null, null, null, 'CG-abc', 'CG-abc']);
    expect(JSON.stringify(log)).not.toContain('CG-abc');
  });

  it('refuses a key that is not one', async () => {
    await start();
    expect((await failure(run({ apiKey: 'a\r\nx: y' }))).code).toBe('configuration');
  });

  it('makes one request after a 403 and none for ten minutes, whoever asks', async () => {
    const { requests } = await start({ faults: { bitcoin: [{ kind: 'status', status: 403 }] } });
    const error = await failure(run({ assets: ['BTC', 'ETH', 'SOL'] }));
    expect(error.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
    expect(error.hint).not.toContain('EDGAR');
    expect(requests).toHaveLength(1);
    expect((await failure(run({ assets: ['ETH'] }))).code).toBe('source_refused');
    expect(requests).toHaveLength(1);
    clock.advance(600_000);
    expect((await run({ assets: ['ETH'] })).assets[0]?.added).toBe(5);
  });

  it('keeps the other assets when one fails, and says which', async () => {
    await start({ faults: { ethereum: [{ kind: 'status', status: 404 }] } });
    const report = await run({ assets: ['BTC', 'ETH', 'SOL'] });
    expect(report.assets.map((a) => a.asset)).toEqual(['BTC', 'SOL']);
    expect(report.failed).toEqual([{ asset: 'ETH', reason: expect.stringContaining('answered 404') }]);
  });

  it('stops when the run is stopped, keeping what was written', async () => {
    const stop = new AbortController();
    const { requests } = await start();
    clock.sleep = () => {
      stop.abort();
      return new Promise(() => undefined);
    };
    const error = await failure(run({ assets: ['BTC', 'ETH'], signal: stop.signal }));
    expect(error.toCli()).toMatchObject({ code: 'interrupted', exitCode: 130 });
    expect(requests).toHaveLength(1);
    expect((await csv('BTC')).split('\n')).toHaveLength(7);
  });
});
