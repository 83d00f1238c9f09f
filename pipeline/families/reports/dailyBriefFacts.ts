import { addDays } from '../../../calculators/exact/civilDate.ts';
import { marketState } from '../../../calculators/market/readings/pressureHeadline.ts';
import { regimeBook } from '../../../calculators/regime/marketRegime.ts';
import { stressBasis } from '../../../calculators/slice/stressBasis.ts';
import type { DailyBriefFacts } from '../../../calculators/visual/report/dailyBriefPayload.ts';
import { sliceStatus } from '../../history/sliceHistory.ts';
import { lackingLevel } from '../../market/factorRows.ts';
import { latestOf, type MarketContext } from '../../marketRelease/marketContext.ts';
import type { NightFacts } from '../familyContexts.ts';

/** Whose closes a chart of prices shows, first choice first, and of how many days it looks back (V45, V46). */
export const pricesShown = { coins: ['BTC', 'ETH', 'SOL'], days: 180 } as const;

/** What the daily brief of a night is made from: payloads of its slice, its closes, its rules (V56). */
export function dailyBriefFacts(night: NightFacts, market: MarketContext | null): DailyBriefFacts {
  const { sourceDate, slice, parameters, prices } = night;
  const days = Array.from({ length: pricesShown.days }, (_, i) =>
    addDays(sourceDate, i + 1 - pricesShown.days),
  );
  const regimes = regimeBook({ prices, parameters });
  const rows = new Map(slice.covenantRows.map((row) => [row.cik, row]));
  const { moderate, high, critical } = parameters.stressBands;
  const baseline = night.changes.payload.freshness_summary?.['baseline_source_date'];
  return {
    sourceDate,
    publishedAt: night.asOf,
    sliceStatus: sliceStatus({
      history: night.history,
      ciks: new Set(slice.issuers.map(({ issuer }) => issuer.cik)),
      parameters,
    }),
    universeCount: night.issuers.length,
    readiness: slice.readiness,
    changes: night.changes.payload,
    ...risksOf(night),
    comparedWith: typeof baseline === 'string' ? baseline : null,
    stressed: slice.topStressed.flatMap(({ cik }) => {
      const row = cik === undefined ? undefined : rows.get(cik);
      return row === undefined ? [] : [row];
    }),
    board: slice.board.filter(({ boardRank }) => boardRank !== null).map(({ signals }) => signals),
    regimes: days.map((date) => ({ date, regime: regimes.on(date).confirmed })),
    coins: pricesShown.coins.map((asset) => ({
      asset,
      closes: days.map((date) => ({ date, close: prices.closeOn(asset, date)?.close ?? null })),
    })),
    products: market === null ? null : productsOf(market),
    bands: {
      stress: { moderate, high, critical, covenant: parameters.referenceCovenantLtv },
      pressure: parameters.perps.pressureBands,
    },
  };
}

/** A slice without a live reading has no tier at live prices, though its live list repeats those of the filings. */
function risksOf({
  slice: { readiness, riskDistribution, covenantRows },
}: NightFacts): Pick<DailyBriefFacts, 'risk' | 'untiered'> {
  const { filing, live } = riskDistribution;
  const isLive = readiness.live_prices_active === true;
  return {
    risk: isLive ? { shown: live, filing } : { shown: filing, filing: null },
    untiered: covenantRows.filter(
      (row) => (isLive ? stressBasis(row).riskTier : row.risk_tier) === 'UNCLASSIFIED',
    ),
  };
}

/** Daily pressure of each product that has a bucket, by its newest one; those without a state last. */
function productsOf(market: MarketContext): DailyBriefFacts['products'] {
  const { parameters } = market.facts;
  const latest = latestOf(market.facts, '1d');
  const firstParts = latest.map(({ product: { product } }) => firstPart(product));
  const found = latest.map((read) => {
    const { product } = read.product;
    const short = firstPart(product);
    const state = marketState(read.latest.pressure, parameters);
    return {
      product: firstParts.filter((one) => one === short).length === 1 ? short : product,
      buckets: read.pressures.map(({ date, pressure }) => ({
        observed_bucket_utc: `${date}T00:00:00Z`,
        factors: { pressure },
      })),
      state,
      missing: state === 'insufficient_evidence' ? lackingLevel(read.latest).reason : null,
      isMadeUp: read.latest.quality.flags.includes('synthetic'),
    };
  });
  return [
    ...found.filter(({ missing }) => missing === null),
    ...found.filter(({ missing }) => missing !== null),
  ];
}

/** What a product is called for short: `BTC` of `BTC-PERP-INTX`. */
const firstPart = (product: string) => product.split('-')[0] ?? product;
