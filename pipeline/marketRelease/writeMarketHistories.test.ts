import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Product } from '../../calculators/market/baskets/product.ts';
import type { ManifestEntry } from '../../data/contract/release/releaseFiles.ts';
import { type MarketWarehouse, marketWarehouse } from '../../fixtures/rigs/marketWarehouse.ts';
import { marketStep } from '../market/marketStep.ts';
import { readRegistry } from '../modelCard/readRegistry.ts';
import { sha256Hex } from '../release/artifact.ts';
import type { KeptSegment } from './segmentCache.ts';
import { marketHistories } from './streamMarket.ts';
import { writeMarketHistories } from './writeMarketHistories.ts';

// bitcoin of Binance, every day of 2023-11-28 to 2024-10-17 as it was observed (fixtures/tables/perps/daily)
const tables = fileURLToPath(new URL('../../fixtures/tables', import.meta.url));
const daily = join(tables, 'perps/daily');
const state = 'state_binance_BTC.csv';
const lastDay = '2024-10-17';
const registry = await readRegistry();
const { parameters } = registry;
const MSTR = '0001050446';

/** Bitcoin's contract as if it were of a basket that holds a registrant: what the issuers' half gives to real rows. */
const products = registry.products
  .filter(({ product }) => product === 'BTC-PERP-INTX')
  .map((product): Product => {
    const versions = product.versions.map((version) => ({
      ...version,
      constituents: [
        ...version.constituents.map((one) => ({ ...one, weight: 0.9 })),
        { kind: 'stock' as const, ticker: 'MSTR', name: 'Strategy', cik: MSTR, weight: 0.1 },
      ],
    }));
    return { ...product, versions } as Product;
  });

/** Builds that answer for dates, and the tier that each gives to MSTR. */
type Builds = Readonly<Record<string, readonly [release: string, tier: string]>>;

/** What a night wrote, and what the next one finds of it. */
type Written = {
  readonly segments: ReadonlyMap<string, KeptSegment>;
  readonly held: { readonly release: string; readonly entries: ReadonlyMap<string, ManifestEntry> } | null;
  /** Bytes of what it made itself, by key. */
  readonly made: ReadonlyMap<string, string>;
  /** Hashes of all it has, by key. */
  readonly hashes: ReadonlyMap<string, string>;
};
const nothing: Written = { segments: new Map(), held: null, made: new Map(), hashes: new Map() };

/** One night over the rows available: their histories after those of another. */
async function night(
  { connection }: MarketWarehouse,
  { sourceDate, builds, after }: { sourceDate: string; builds: Builds; after: Written },
): Promise<Written> {
  const segments = new Map<string, KeptSegment>();
  const entries = new Map<string, ManifestEntry>();
  const made = new Map<string, string>();
  const histories = await marketHistories({
    connection,
    sourceDate,
    products,
    parameters,
    facts: null,
    code: 'test',
    slices: Object.keys(builds),
    issuersOf: (date) => {
      const [release, tier] = builds[date] ?? [null, null];
      const known = tier === null ? null : new Map([[MSTR, tier]]);
      return { release, ciks: new Set(known?.keys()), tiers: async () => known };
    },
  });
  for (const group of histories) {
    const written = await writeMarketHistories(group, {
      sourceDate,
      kept: after.segments,
      held: after.held,
      put: async (file) => {
        const bytes = 'bytes' in file ? Buffer.concat([...file.bytes]) : null;
        const sha256 = 'held' in file ? file.held.sha256 : sha256Hex(bytes ?? '');
        entries.set(file.key, { key: file.key, sha256 } as ManifestEntry);
        if (bytes !== null && !file.key.endsWith('.segments.json'))
          made.set(file.key, bytes.toString('utf8'));
      },
    });
    for (const [key, segment] of written) segments.set(key, segment);
  }
  const hashes = new Map([...entries].map(([key, { sha256 }]) => [key, sha256]));
  return { segments, held: { release: `${sourceDate}.1`, entries }, made, hashes };
}

const segmentsOf = ({ made }: Written) => [...made.keys()].filter((key) => key.endsWith('.ndjson')).sort();

/** Segments of which a night has other bytes than the one before it. */
const changed = (before: Written, { hashes }: Written) =>
  [...hashes.keys()]
    .filter((key) => key.endsWith('.ndjson') && hashes.get(key) !== before.hashes.get(key))
    .sort();

/** The same night with nothing to refer to. */
async function expectAsFromNothing(
  warehouse: MarketWarehouse,
  written: Written,
  { sourceDate, builds }: { sourceDate: string; builds: Builds },
): Promise<void> {
  const anew = await night(warehouse, { sourceDate, builds, after: nothing });
  expect(written.hashes).toEqual(anew.hashes);
}

describe('the histories of products, night after night (STORE ST9)', () => {
  let warehouse: MarketWarehouse;
  let lines: string[];
  let first: Written;
  const [january, february] = ['2025-01-31', '2025-02-01'];
  const builds: Builds = Object.fromEntries(
    ['2024-03-29', '2024-03-30', '2024-09-30', january].map((date) => [date, [`${date}.1`, 'LOW']]),
  );
  const step = (sourceDate: string) =>
    marketStep({
      connection: warehouse.connection,
      sourceDate,
      products,
      parameters,
      stopIfAsked: () => undefined,
    });
  beforeAll(async () => {
    warehouse = await marketWarehouse();
    const names = (await readdir(daily)).map((name) => join(daily, name));
    await warehouse.files([...names, join(tables, 'prices/BTC.csv')]);
    lines = (await readFile(join(daily, state), 'utf8')).trimEnd().split('\n');
    await step(lastDay);
    first = await night(warehouse, { sourceDate: january, builds, after: nothing });
  });
  afterAll(() => warehouse.remove());

  it('makes nothing of closed months again where nothing is new, and has the bytes of a first night', async () => {
    expect(segmentsOf(first).length).toBeGreaterThan(12 * 6);
    const promoted: Builds = { ...builds, [february]: [`${february}.1`, 'LOW'] };
    const second = await night(warehouse, { sourceDate: february, builds: promoted, after: first });
    // the month that has ended, as one segment, and the night's own date: registries alone, as no product has a row
    expect(segmentsOf(second)).toEqual([
      'perp-constituents/2025-01.ndjson',
      `perp-constituents/${february}.ndjson`,
    ]);
    await expectAsFromNothing(warehouse, second, { sourceDate: february, builds: promoted });
    const again = await night(warehouse, { sourceDate: february, builds: promoted, after: second });
    expect(segmentsOf(again)).toEqual([]);
    expect(again.hashes).toEqual(second.hashes);
  });

  it('makes after a late correction the segments that it reaches, and those alone', async () => {
    const may = '2024-05-31';
    const known = Object.fromEntries(Object.entries(builds).filter(([date]) => date <= may));
    const before = await night(warehouse, { sourceDate: may, builds: known, after: nothing });
    // the last index of 2024-01-10, 0.1 % lower: one basis, of which 90 days of z-scores follow (M8.5), up to 2024-04-08,
    // the differences of the day after (M8.8), and the points of the 34 days after that, up to 2024-05-13 (M9.3, M9.7)
    const late = lines.map((line) => {
      const cells = line.split(',');
      if (!cells[2]?.startsWith('2024-01-10')) return line;
      return cells.with(5, String(Number(cells[5]) * 0.999)).join(',');
    });
    expect(late).not.toEqual(lines);
    await warehouse.perps(state, late);
    await step(lastDay);
    const corrected = await night(warehouse, { sourceDate: may, builds: known, after: before });
    const made = segmentsOf(corrected);
    const periodsOf = (kind: string) =>
      made
        .filter((key) => key.startsWith(`${kind}/`))
        .map((key) => key.slice(kind.length + 1, -'.ndjson'.length));
    const daysOfMay = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => `2024-05-${String(from + i).padStart(2, '0')}`);
    const whole = ['2024-01', '2024-02', '2024-03', '2024-04'];
    expect(periodsOf('perp-factors/1d')).toEqual(whole);
    expect(periodsOf('market-field-map/1d')).toEqual([...whole, ...daysOfMay(1, 13)]);
    // of hours and quarter hours the tables have one a day: the row itself, the difference to it of the next, and the
    // points that look back to them; an hour has z-scores from the 168th on, 2024-05-13, over more than there are
    expect(periodsOf('perp-factors/1h')).toEqual(['2024-01', ...daysOfMay(13, 31)]);
    expect(periodsOf('market-field-map/1h')).toEqual(['2024-01', '2024-02', ...daysOfMay(13, 31)]);
    expect(periodsOf('perp-factors/15m')).toEqual(['2024-01']);
    expect(periodsOf('market-field-map/15m')).toEqual(['2024-01', '2024-02']);
    expect(periodsOf('perp-constituents')).toEqual([]);
    const others = changed(before, corrected);
    expect(made).toEqual(expect.arrayContaining(others));
    const factors = (key: string) => key.startsWith('perp-factors/');
    expect(made.filter(factors)).toEqual(others.filter(factors));
    await expectAsFromNothing(warehouse, corrected, { sourceDate: may, builds: known });

    await warehouse.perps(state, lines);
    await step(lastDay);
    const restored = await night(warehouse, { sourceDate: may, builds: known, after: corrected });
    expect(restored.hashes).toEqual(before.hashes);
  });

  it('makes after another build of a closed date the points of its month, with the tier that it gives', async () => {
    const anew: Builds = { ...builds, '2024-03-29': ['2024-03-29.2', 'HIGH'] };
    const rebuilt = await night(warehouse, { sourceDate: january, builds: anew, after: first });
    expect(segmentsOf(rebuilt)).toEqual(
      ['15m', '1d', '1h'].map((length) => `market-field-map/${length}/2024-03.ndjson`),
    );
    const tiers = (rebuilt.made.get('market-field-map/1d/2024-03.ndjson') ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .filter((point) => point.constituent_overlay !== undefined)
      .map((point) => [point.date, point.constituent_overlay.evidence[0].risk_tier]);
    expect(tiers).toEqual([
      ['2024-03-29', 'HIGH'],
      ['2024-03-30', 'LOW'],
    ]);
    await expectAsFromNothing(warehouse, rebuilt, { sourceDate: january, builds: anew });
  });
});
