import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../data/contract/routes/routes.ts';
import { answersWhenCut } from '../../fixtures/rigs/answersWhenCut.ts';
import { sampleMarket, sampleProducts } from '../../fixtures/rigs/sampleMarket.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';

const sourceDate = '2026-02-07';
const dates = ['2025-12-30', '2025-12-31', '2026-01-31', '2026-02-01', '2026-02-06', sourceDate];
const products = sampleProducts(dates).map((one, i) => ({
  ...one,
  dates: one.dates.filter((_, at) => (at + i) % 3 !== 1),
}));

let rig: Rig;
let key: string;
let builds = 0;
beforeAll(async () => {
  rig = await serveRig({ routes: routes.map((route) => ({ ...route, status: 'live' })) });
  key = await rig.key();
});
afterAll(() => rig.close());

function answers(cuts: readonly number[], paths: readonly string[]): Promise<string[]> {
  builds += 1;
  return answersWhenCut({
    rig,
    key,
    sourceDate,
    build: builds,
    cuts,
    paths,
    more: (split) => sampleMarket({ sourceDate, products, split }),
  });
}

const day = fc.constantFrom(...dates, '2025-12-01', '2026-01-15', '2026-02-03');
const range = fc.record({ source_date_from: day, source_date_to: day }, { requiredKeys: [] });
const dated = fc.oneof(
  range,
  day.map((date) => ({ source_date: date })),
);
const page = fc.record({ limit: fc.integer({ min: 1, max: 9 }), offset: fc.integer({ min: 0, max: 13 }) });
const who = fc.constantFrom('AI-PERP-INTX', 'BTC-PERP-INTX', 'AI10', 'ODD-PERP-INTX');
const length = fc.constantFrom('15m', '1h', '1d').map((bucket_length) => ({ bucket_length }));
const mode = fc.constantFrom('compact', 'full').map((one) => ({ mode: one }));
const query = (...parts: readonly object[]) => new URLSearchParams(Object.assign({}, ...parts)).toString();
const path = fc.oneof(
  fc
    .tuple(who, length, mode, dated, page)
    .map(([product, ...asked]) => `/v1/market-core/perps/factors/${product}?${query(...asked)}`),
  fc
    .tuple(length, mode, dated, page)
    .map((asked) => `/v1/market-core/perps/calculation-history?${query(...asked)}`),
  fc
    .tuple(who, mode, dated, page)
    .map(([product, ...asked]) => `/v1/market-core/perps/constituents/${product}?${query(...asked)}`),
  fc
    .tuple(who, length, dated, page)
    .map(([product, ...asked]) => `/v1/market-spectra-field-map/${product}?${query(...asked)}`),
  fc
    .tuple(who, length, range, page)
    .map(([product, ...asked]) => `/v1/synthetic-etf/audit/${product}?${query(...asked)}`),
);

describe('a history of products in segments', () => {
  it('answers the same bytes wherever its segments begin (STORE ST11)', async () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: dates.length - 2 }));
    await fc.assert(
      fc.asyncProperty(cuts, fc.array(path, { minLength: 8, maxLength: 14 }), async (some, asked) => {
        const oneADate = dates.map((_, at) => at).slice(1);
        expect(await answers(some, asked)).toEqual(await answers(oneADate, asked));
      }),
      { numRuns: 20 },
    );
  });

  it('answers every row of a product once, page by page, from one segment and from many', async () => {
    const paths = [0, 4, 8, 12, 16].map(
      (offset) => `/v1/market-core/perps/factors/BTC-PERP-INTX?bucket_length=15m&limit=4&offset=${offset}`,
    );
    const [whole, split] = [await answers([], paths), await answers([1, 2, 3, 4], paths)];
    expect(split).toEqual(whole);
    const buckets = whole.flatMap((said) => said.match(/"observed_bucket_utc":"[^"]+"/g) ?? []);
    expect(buckets).toHaveLength(16);
    expect(buckets).toEqual([...new Set(buckets)].sort().reverse());
  });
});
