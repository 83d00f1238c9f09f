import type { MarketRead } from '../../calculators/briefs/briefEvidence.ts';
import type { MarketContext } from '../marketRelease/marketContext.ts';
import { rankingRows } from '../marketRelease/rankingRows.ts';

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
