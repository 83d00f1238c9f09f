import type { DuckDBConnection } from '@duckdb/node-api';
import type { Product } from '../../calculators/market/baskets/product.ts';
import { coverageWindow } from '../../calculators/market/readings/coverageWindow.ts';
import type { IssuerTiers } from '../../calculators/market/readings/issuerTruth.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { CoverageWindow } from '../../data/contract/payloads/universe/readiness.ts';
import { bucketLengths } from '../../data/contract/values/enums.ts';
import type { ReleasePaths } from '../dataLayout.ts';
import type { SliceHistory } from '../history/sliceHistory.ts';
import { readMarketNight } from '../market/readMarketNight.ts';
import { openRelease } from '../release/openRelease.ts';
import { readList } from '../release/rowStore.ts';
import { endOfSlice, latestOf, type MarketContext } from './marketContext.ts';
import { marketCounts } from './storedMarket.ts';

/**
 * Reads what a slice knows of perpetual products; null where no row of any is stored up to its date.
 *
 * The tiers of the slice's own date are added by its maker: they are not published yet.
 */
export async function readMarketContext(
  connection: DuckDBConnection,
  night: {
    readonly sourceDate: string;
    readonly asOf: string;
    readonly products: readonly Product[];
    readonly parameters: Parameters;
    readonly history: SliceHistory;
    readonly paths: ReleasePaths;
  },
): Promise<((own: IssuerTiers) => MarketContext) | null> {
  const facts = await readMarketNight(connection, night);
  const latest = bucketLengths.flatMap((length) => latestOf(facts, length));
  if (latest.length === 0) return null;
  const { recent, reach, held } = await marketCounts(connection, night);
  const dates = new Set(latest.map((one) => one.latest.sourceDate));
  const past = new Map<string, IssuerTiers>();
  for (const slice of night.history)
    if (dates.has(slice.sourceDate)) past.set(slice.sourceDate, await readTiers(night.paths, slice));
  return (own) => ({
    facts,
    tiersOf: (date) => (date === night.sourceDate ? own : (past.get(date) ?? null)),
    recentRows: (product, length) => recent.get(`${product} ${length}`) ?? 0,
    reach: (length) => reach.get(length) ?? { first: null, last: null },
    held: (product, length) => held.get(`${product} ${length}`) ?? null,
  });
}

/** The risk tier of every issuer of a promoted slice, by CIK. @throws IssuerError `validation_failed` for a damaged build */
export async function readTiers(
  paths: ReleasePaths,
  { sourceDate, release }: { readonly sourceDate: string; readonly release: string },
): Promise<IssuerTiers> {
  return listedTiers(sourceDate, (await openRelease(paths, release)).read);
}

/** The same of a slice whose artifacts are read by key. */
export async function listedTiers(
  sourceDate: string,
  read: (key: string) => Promise<Uint8Array | null>,
): Promise<IssuerTiers> {
  const { rows } = covenantStress.stored;
  const list = await readList(rows, rows.key({ slice: sourceDate }), read);
  const tiers = list?.column('risk_tier') ?? [];
  return new Map((list?.column('cik') ?? []).map((cik, i) => [String(cik), String(tiers[i])]));
}

/** What the stored rows of every product cover, in the order of the registry, a window a length (I2.46). */
export function coverageWindows({ facts, held }: MarketContext): CoverageWindow[] {
  const { parameters, products } = facts;
  return products.flatMap(({ product: { product }, byLength }) =>
    bucketLengths.map((bucketLength) =>
      coverageWindow({
        product,
        bucketLength,
        held: held(product, bucketLength),
        latest: byLength[bucketLength].latest,
        at: endOfSlice(facts),
        parameters,
      }),
    ),
  );
}
