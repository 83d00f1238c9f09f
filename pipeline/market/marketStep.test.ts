import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addDays } from '../../calculators/exact/civilDate.ts';
import type { BucketLength, Contract } from '../../calculators/market/marketBucket.ts';
import { bucketLengths } from '../../calculators/parameters/perpsParameters.ts';
import { limitMs } from '../../fixtures/checks/machinePace.ts';
import { type MarketWarehouse, marketWarehouse } from '../../fixtures/rigs/marketWarehouse.ts';
import { type SeededRandom, seededRandom } from '../../fixtures/rigs/seededRandom.ts';
import { readRegistry } from '../modelCard/readRegistry.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { heldBuckets, syncBuckets } from './contractBuckets.ts';
import { staleProducts } from './factorRows.ts';
import { keepMarketRows } from './keepMarketRows.ts';
import { type MarketReport, marketStep, readCloses, syncCloses, syncProducts } from './marketStep.ts';
import { readMarketNight } from './readMarketNight.ts';

const tables = fileURLToPath(new URL('../../fixtures/tables', import.meta.url));
const shared = resolve('../shared/data');
const { parameters, products } = await readRegistry();
const coins = ['BTC', 'ETH', 'SOL'];
const lastDay = '2024-10-17';

const step = ({ connection }: MarketWarehouse, sourceDate: string): Promise<MarketReport> =>
  marketStep({ connection, sourceDate, products, parameters, stopIfAsked: () => undefined });

async function filesOf(folder: string, wanted: (name: string) => boolean = () => true): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.csv') && wanted(name))
    .sort()
    .map((name) => join(folder, name));
}

type StoredRow = { product: string; bucket_length: string; bucket_ms: bigint; payload: string };

async function storedRows({ connection }: MarketWarehouse, where = 'true'): Promise<StoredRow[]> {
  const rows = await readRows(
    connection,
    `SELECT product, bucket_length, bucket_ms, payload FROM market_factor WHERE ${where}
    ORDER BY product, bucket_length, bucket_ms`,
  );
  return rows as StoredRow[];
}

/** Leaves a warehouse as if no market step had been. */
async function forgetRows({ connection }: MarketWarehouse): Promise<void> {
  const tables = ['bucket', 'close', 'factor', 'method', 'input', 'input_day', 'due', 'made', 'pending'];
  await connection.run(tables.map((table) => `DELETE FROM market_${table}`).join(';'));
}

/**
 * Takes days by chance and computes the rows of their end from nothing but what was observed and closed by then, in a
 * warehouse of its own; each must be the row of the whole archive, byte for byte. At the end of a day every length
 * has a row that ends. The newest day comes first, so that each cut takes away from the one before.
 */
async function expectNoLookAhead(
  whole: MarketWarehouse,
  { files, days, random }: { files: readonly string[]; days: number; random: SeededRandom },
): Promise<number> {
  const all = await storedRows(whole, "bucket_length = '1d'");
  const picked = Array.from({ length: days }, () => all[random.below(all.length)]);
  const newestFirst = picked.flatMap((one) => one ?? []).sort((a, b) => Number(b.bucket_ms - a.bucket_ms));
  const cut = await marketWarehouse();
  const { connection } = cut;
  try {
    await cut.files(files);
    await syncProducts(connection, products);
    let compared = 0;
    for (const one of newestFirst) {
      const end = Number(one.bucket_ms) + lengthMs('1d');
      await forgetRows(cut);
      // of a candle its end, of a close the end of its day
      await connection.run(
        `DELETE FROM market_observation
        WHERE observed_ms >= ${end} OR observed_ms + coalesce(interval_minutes, 0) * 60000 > ${end};
        DELETE FROM price_close WHERE epoch_ms(date::TIMESTAMP) + 86400000 > ${end}`,
      );
      await syncBuckets(connection, { until: end });
      await syncCloses(connection, { upTo: new Date(end - 1).toISOString().slice(0, 10) });
      const closes = await readCloses(connection);
      const buckets = await heldBuckets(connection);
      const ranges = products.flatMap((product) =>
        bucketLengths.flatMap((bucketLength) => {
          const from = end - lengthMs(bucketLength);
          const isOf = ({ venue, symbol }: Contract) =>
            product.contracts.some((one) => one.venue === venue && one.symbol === symbol);
          const held = buckets.filter((one) => one.bucketLength === bucketLength && isOf(one));
          return from % lengthMs(bucketLength) === 0 ? [{ product, bucketLength, held, from }] : [];
        }),
      );
      const stop = { stopIfAsked: () => undefined };
      await keepMarketRows(connection, { ranges, closes, until: end, parameters, ...stop });
      const made = await storedRows(cut);
      const own =
        "bucket_ms + CASE bucket_length WHEN '15m' THEN 900000 WHEN '1h' THEN 3600000 ELSE 86400000 END";
      expect(made).toEqual(await storedRows(whole, `${own} = ${end}`));
      expect(made).toContainEqual(one);
      compared += made.length;
    }
    return compared;
  } finally {
    await cut.remove();
  }
}

function lengthMs(length: BucketLength): number {
  return parameters.perps.buckets[length].minutes * 60_000;
}

describe('the market step', () => {
  let warehouse: MarketWarehouse;
  let files: string[];
  beforeAll(async () => {
    warehouse = await marketWarehouse();
    files = [
      ...(await filesOf(join(tables, 'perps/daily'))),
      ...coins.map((coin) => join(tables, 'prices', `${coin}.csv`)),
    ];
    await warehouse.files(files);
    await step(warehouse, lastDay);
  });
  afterAll(() => warehouse.remove());

  it('gives the Binance contract 325 daily rows, with a pressure from the 31st available day with its evidence on', async () => {
    const [count] = await readRows(
      warehouse.connection,
      `SELECT count(*)::INTEGER AS rows, count(pressure)::INTEGER AS pressed, count(basis_bps)::INTEGER AS bases
      FROM market_factors WHERE bucket_length = '1d'`,
    );
    // breadth needs a close seven days before: those of the tables begin on 2024-02-08
    expect(count).toMatchObject({ rows: 325, bases: 325 });
    expect(Number(count?.['pressed'])).toBeGreaterThan(200);
  });

  it('gives 2024-10-17 the figures worked out from its observations', async () => {
    const { products: facts } = await readMarketNight(warehouse.connection, {
      sourceDate: lastDay,
      asOf: '2024-10-18T09:00:00Z',
      products,
      parameters,
    });
    const btc = facts.find(({ product }) => product.product === 'BTC-PERP-INTX')?.byLength['1d'];
    // 0.0001 · 3 · 365; 10^4 · (67430.07606383 − 67444.05787234)/67444.05787234; 81580.267 · 67430.07606383
    expect(btc?.latest).toMatchObject({
      contract: { venue: 'binance', symbol: 'BTC-USDT' },
      sourceDate: lastDay,
      factors: { funding_annualized: 0.1095, basis_bps: -2.073097, oi_usd: 5500963609 },
      quality: { historyRows: 90, rowAgeMinutes: 0 },
    });
    expect(btc?.day).toHaveLength(1);
    expect(btc?.previous?.sourceDate).toBe('2024-10-16');
    expect(btc?.window).toHaveLength(41);
    expect(
      facts.find(({ product }) => product.product === 'ETH-PERP-INTX')?.byLength['1d'].latest,
    ).toBeNull();
  });

  it('has no look-ahead: 200 rows by chance are those of archives cut at their end (M15.53)', {
    timeout: limitMs(240_000),
  }, async () => {
    const compared = await expectNoLookAhead(warehouse, { files, days: 100, random: seededRandom(8) });
    expect(compared).toBeGreaterThanOrEqual(200);
  });

  it('has no look-ahead over the tables beside the project either', {
    timeout: limitMs(1_200_000),
  }, async (ctx) => {
    if (!existsSync(shared)) ctx.skip('../shared/data is not beside the project');
    const real = await marketWarehouse();
    try {
      const own = [
        ...(await filesOf(
          join(shared, 'perps'),
          (name) => /_(BTC|ETH|SOL)/.test(name) && /binance_|oi_mark/.test(name),
        )),
        ...coins.map((coin) => join(shared, 'prices', `${coin}.csv`)),
      ];
      await real.files(own);
      await step(real, '2025-09-30');
      const compared = await expectNoLookAhead(real, { files: own, days: 12, random: seededRandom(15) });
      // three coins, three lengths
      expect(compared).toBeGreaterThanOrEqual(36);
    } finally {
      await real.remove();
    }
  });
});

describe('a market step after another', () => {
  let warehouse: MarketWarehouse;
  beforeEach(async () => {
    warehouse = await marketWarehouse();
    await warehouse.files(await filesOf(join(tables, 'perps/daily')));
    await warehouse.files(coins.map((coin) => join(tables, 'prices', `${coin}.csv`)));
  });
  afterEach(() => warehouse.remove());

  it('computes only what is new, and ends with the rows of one step over all of it', async () => {
    expect((await step(warehouse, '2024-09-30')).rows).toBe(924);
    expect(await step(warehouse, '2024-09-30')).toEqual({ rows: 0, findings: [] });
    // one day: a row of each length
    expect((await step(warehouse, '2024-10-01')).rows).toBe(3);
    for (let day = '2024-10-02'; day <= lastDay; day = addDays(day, 5)) await step(warehouse, day);
    await step(warehouse, lastDay);
    const inSteps = await storedRows(warehouse);
    await forgetRows(warehouse);
    await step(warehouse, lastDay);
    expect(await storedRows(warehouse)).toEqual(inSteps);
  });

  it('computes anew from the first observation that another table corrects', async () => {
    await step(warehouse, lastDay);
    const before = await storedRows(warehouse, "bucket_length = '1d'");
    await warehouse.perps('state_late_BTC.csv', [
      'venue,symbol,time_utc,open_interest,last_price,index_price,mark_price',
      'binance,BTC-USDT,2024-10-10T23:30:00Z,,,,60000',
    ]);
    await step(warehouse, lastDay);
    const after = await storedRows(warehouse, "bucket_length = '1d'");
    const changed = after.filter((row, i) => row.payload !== before[i]?.payload);
    expect(changed.map(({ bucket_ms }) => new Date(Number(bucket_ms)).toISOString().slice(0, 10))[0]).toBe(
      '2024-10-10',
    );
    expect(changed).toHaveLength(8);
  });

  it('leaves a product whose newest row is older than two days for the findings of a night', async () => {
    const { connection } = warehouse;
    await step(warehouse, lastDay);
    const stale = (sourceDate: string) => staleProducts(connection, { sourceDate, products, parameters });
    expect(await stale('2024-10-19')).toEqual([]);
    expect(await stale('2024-10-20')).toEqual(['the newest market rows of BTC-PERP-INTX are of 2024-10-17']);
  });

  it('without any observation has no row and nothing to say', async () => {
    const empty = await marketWarehouse();
    try {
      expect(await step(empty, lastDay)).toEqual({ rows: 0, findings: [] });
    } finally {
      await empty.remove();
    }
  });
});
