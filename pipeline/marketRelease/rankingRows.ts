import type { MarketRead } from '../../calculators/briefs/briefEvidence.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import { rankProducts } from '../../calculators/market/readings/rankProducts.ts';
import type { PerpRankingRow, PerpRankingsMeta } from '../../data/contract/payloads/market/perpRankings.ts';
import { metaOfProducts } from '../../data/contract/payloads/market/perpRankings.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { factorMethod } from '../market/factorRows.ts';
import { bucketMembers, qualityMembers } from './factorForms.ts';
import { endOfSlice, latestOf, type MarketContext } from './marketContext.ts';

/** The products by pressure, one row each (I4.R16.3, M8.18). */
export function rankingRows({ facts }: MarketContext, length: BucketLength): PerpRankingRow[] {
  const { parameters, products } = facts;
  const underlying = new Map(products.map(({ product }) => [product.product, product.underlyingTicker]));
  const rows = latestOf(facts, length).map(({ latest }) => latest);
  return rankProducts(rows, { at: endOfSlice(facts), parameters }).map((ranked) => ({
    ...bucketMembers(ranked.row, underlying.get(ranked.row.product) ?? null),
    quality: qualityMembers(ranked.quality),
    rank: ranked.rank,
    percentile: ranked.percentile,
    ranking_score: ranked.rankingScore,
    ranking_band: ranked.rankingBand,
  }));
}

/** What the index of a ranking says of products and buckets. */
export function rankingMeta({ facts, reach }: MarketContext, length: BucketLength): PerpRankingsMeta {
  const { first, last } = reach(length);
  return {
    method_version: factorMethod,
    first_bucket_utc: first === null ? null : instant(first),
    last_bucket_utc: last === null ? null : instant(last),
    ...metaOfProducts(
      facts.products.map(({ product, version }) => ({
        product: product.product,
        display_name: product.displayName,
        aliases: product.aliases,
        underlying_ticker: product.underlyingTicker,
        has_registry: version !== null,
      })),
    ),
  };
}

/** The daily reads of the slice's own date as its ranking shows them, in its order. */
export function marketReads(market: MarketContext): readonly MarketRead[] {
  return rankingRows(market, '1d')
    .filter(({ source_date }) => source_date === market.facts.sourceDate)
    .map(({ product, factors, ranking_band, quality }) => ({
      product,
      underlying: product.split('-')[0] ?? product,
      pressure: factors['pressure'] ?? null,
      market_state: ranking_band,
      funding_annualized: factors['funding_annualized'] ?? null,
      synthetic: quality.flags.includes('synthetic'),
    }));
}
