import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../calculators/exact/civilDate.ts';
import { limitMs } from '../../fixtures/checks/machinePace.ts';
import { type MarketWarehouse, marketWarehouse } from '../../fixtures/rigs/marketWarehouse.ts';
import { seededRandom } from '../../fixtures/rigs/seededRandom.ts';
import { readRegistry } from '../modelCard/readRegistry.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { forgetInput } from '../warehouse/load/inputFile.ts';
import { perpsTables } from '../warehouse/load/loadPerps.ts';
import { marketStep } from './marketStep.ts';

const registry = await readRegistry();
const [firstDay, days, alwaysFrom] = ['2024-03-01', 44, 6];

/** A table of a source: as given, taken away, or there with other values, hours and days. */
type TableChange = {
  readonly name: string;
  readonly isThere: boolean;
  readonly seed: number;
  readonly from: number;
  readonly length: number;
};
type Change =
  | { readonly kind: 'table'; readonly table: TableChange }
  | { readonly kind: 'closes'; readonly seed: number }
  | { readonly kind: 'registry'; readonly contracts: number }
  | { readonly kind: 'parameters'; readonly minBuckets: number }
  | { readonly kind: 'night'; readonly day: number };

const day = fc.integer({ min: 0, max: days - 1 });
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('table' as const),
      table: fc.record({
        name: fc.constantFrom(
          'funding_binance',
          'funding_late',
          'state_binance',
          'state_bybit',
          'klines_binance',
        ),
        isThere: fc.oneof(
          { weight: 4, arbitrary: fc.constant(true) },
          { weight: 1, arbitrary: fc.constant(false) },
        ),
        seed: fc.nat(1000),
        from: day,
        length: fc.integer({ min: 1, max: 12 }),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('closes' as const), seed: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('registry' as const),
      contracts: fc.integer({ min: 2, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('parameters' as const), minBuckets: fc.constantFrom(20, 30) }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('night' as const), day }) },
);

/** The first days of the history go away on the night that a parameter changes. */
const startGone: Change[] = [
  { kind: 'table', table: { name: 'state_binance', isThere: true, seed: 3, from: 0, length: 12 } },
  { kind: 'night', day: days - 1 },
  { kind: 'table', table: { name: 'state_binance', isThere: false, seed: 3, from: 0, length: 12 } },
  { kind: 'parameters', minBuckets: 20 },
];

/** A product loses the contract whose rows begin its history; another one keeps its buckets. */
const contractGone: Change[] = [
  { kind: 'table', table: { name: 'state_bybit', isThere: true, seed: 3, from: 0, length: 12 } },
  { kind: 'night', day: days - 1 },
  { kind: 'registry', contracts: 2 },
];

describe('the market step, night after night', () => {
  it('ends with the buckets and rows of one step over all there is, whatever came late, was corrected or went (M15.72)', {
    timeout: limitMs(600_000),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 14 }), async (changes) => {
        const warehouse = await marketWarehouse();
        try {
          const state = { contracts: 4, minBuckets: 30 };
          // what came before it may go away again
          await putTable(warehouse, {
            name: 'state_always',
            isThere: true,
            seed: 1,
            from: alwaysFrom,
            length: days - alwaysFrom,
          });
          await putCloses(warehouse, 0);
          for (const one of changes) {
            if (one.kind === 'table') await putTable(warehouse, one.table);
            else if (one.kind === 'closes') await putCloses(warehouse, one.seed);
            else if (one.kind === 'registry') state.contracts = one.contracts;
            else if (one.kind === 'parameters') state.minBuckets = one.minBuckets;
            else await night(warehouse, { ...state, day: one.day });
          }
          await night(warehouse, { ...state, day: days - 1 });
          const inNights = await found(warehouse);
          expect(await night(warehouse, { ...state, day: days - 1 })).toEqual({ rows: 0, findings: [] });
          await forgetSteps(warehouse);
          await night(warehouse, { ...state, day: days - 1 });
          expect(inNights).toEqual(await found(warehouse));
          expect(inNights.rows.length).toBeGreaterThan(days - alwaysFrom);
        } finally {
          await warehouse.remove();
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 12), seed: 20, examples: [[startGone], [contractGone]] },
    );
  });
});

/** The step of a night with the first contracts of the registry. */
function night(
  { connection }: MarketWarehouse,
  { day: at, contracts, minBuckets }: { day: number; contracts: number; minBuckets: number },
) {
  const { perps } = registry.parameters;
  const buckets = { ...perps.buckets, '1d': { ...perps.buckets['1d'], minBuckets } };
  return marketStep({
    connection,
    sourceDate: addDays(firstDay, at),
    products: registry.products
      .filter(({ product }) => product === 'BTC-PERP-INTX')
      // the other one keeps the buckets of contracts that the first has no more
      .flatMap((product) => [
        { ...product, contracts: product.contracts.slice(0, contracts) },
        { ...product, product: 'BTC-OF-ALL' },
      ]),
    parameters: { ...registry.parameters, perps: { ...perps, buckets } },
    stopIfAsked: () => undefined,
  });
}

const heads = {
  funding: 'venue,symbol,time_utc,funding_rate',
  state: 'venue,symbol,time_utc,open_interest,last_price,index_price,mark_price',
  klines: 'venue,symbol,time_utc,open,high,low,close,volume_base,volume_quote',
};

async function putTable(warehouse: MarketWarehouse, { name, isThere, seed, from, length }: TableChange) {
  const file = `${name}_BTC.csv`;
  if (!isThere) {
    await forgetInput(warehouse.connection, { name: `perps/${file}`, tables: perpsTables });
    return;
  }
  const kind = name.startsWith('funding') ? 'funding' : name.startsWith('klines') ? 'klines' : 'state';
  const { next, below } = seededRandom(seed);
  const every = kind === 'funding' ? ([1, 4, 8][below(3)] ?? 8) : ([6, 8, 12][below(3)] ?? 8);
  const hours = Array.from({ length: Math.floor((length * 24) / every) }, (_, i) => from * 24 + i * every);
  const price = () => (60_000 + 1_000 * next()).toFixed(2);
  const cells = {
    funding: () => (next() - 0.5).toFixed(6),
    state: () => `${(100 + next()).toFixed(3)},,${price()},${price()}`,
    klines: () => `1,1,1,${price()},${next().toFixed(3)},`,
  }[kind];
  const lines = hours
    .filter(() => next() > 0.1)
    .map((hour) => {
      const time = new Date(Date.parse(`${firstDay}T00:00:00Z`) + hour * 3_600_000).toISOString();
      return `${name.endsWith('bybit') ? 'bybit' : 'binance'},BTC-USDT,${time.slice(0, 19)}Z,${cells()}`;
    });
  if (lines.length > 0) await warehouse.perps(file, [heads[kind], ...lines]);
}

async function putCloses(warehouse: MarketWarehouse, seed: number): Promise<void> {
  const { next } = seededRandom(seed);
  const lines = Array.from({ length: days + 10 }, (_, i) => {
    // the newer half alone differs
    const close = i < days / 2 ? 60_000 + 10 * i : 60_000 + 1_000 * next();
    return `${addDays(firstDay, i - 10)},BTC,${close.toFixed(2)},hand`;
  });
  const path = join(warehouse.root, 'prices', 'BTC.csv');
  await mkdir(join(warehouse.root, 'prices'), { recursive: true });
  await writeFile(path, `date,asset,close,source\n${lines.join('\n')}\n`);
  await warehouse.files([path]);
}

async function found({ connection }: MarketWarehouse) {
  return {
    buckets: await readRows(
      connection,
      'SELECT * FROM market_bucket ORDER BY venue, symbol, bucket_length, bucket_ms',
    ),
    rows: await readRows(
      connection,
      'SELECT * FROM market_factor ORDER BY product, bucket_length, bucket_ms',
    ),
  };
}

/** Leaves a warehouse as if no step had been. */
async function forgetSteps({ connection }: MarketWarehouse): Promise<void> {
  const tables = ['bucket', 'close', 'factor', 'method', 'input', 'input_day', 'due', 'made', 'pending'];
  await connection.run(tables.map((table) => `DELETE FROM market_${table}`).join(';'));
}
