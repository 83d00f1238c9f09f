import { type Product, versionOn } from '../../calculators/market/baskets/product.ts';
import type { FactorRow } from '../../calculators/market/factors/factorRow.ts';
import { type IssuerTiers, issuerTruth } from '../../calculators/market/readings/issuerTruth.ts';
import { marketFieldMap as headOf } from '../../calculators/market/readings/marketFieldMap.ts';
import type { MarketPoint } from '../../calculators/market/readings/marketPoints.ts';
import type { PerpsParameters } from '../../calculators/parameters/perpsParameters.ts';
import {
  type MarketFieldMap,
  type MarketFieldPoint,
  marketFieldPoint,
} from '../../data/contract/payloads/market/marketFieldMap.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { validated } from '../release/validated.ts';
import { qualityMembers } from './factorForms.ts';
import { fieldMapRows, type LatestFacts, type MarketContext } from './marketContext.ts';

type Overlay = MarketFieldMap['constituent_overlay'];

/** All members of a market field map but its points (I2.61). */
export function fieldMapOf({ facts, tiersOf }: MarketContext, latest: LatestFacts): MarketFieldMap {
  const { parameters, sourceDate } = facts;
  const { product, latest: row } = latest;
  const head = headOf(fieldMapRows(latest), { product: row.product, parameters });
  return {
    ...head,
    source_date: head.source_date === null ? null : sourceDate,
    summary: { ...head.summary, watch_next: [...head.summary.watch_next] },
    source_fields_used: [...head.source_fields_used],
    derived_fields: [...head.derived_fields],
    chart_label_authority: { owner: 'api', labels: { ...head.chart_label_authority.labels } },
    constituent_overlay: overlayOf({
      product,
      date: row.sourceDate,
      tiers: tiersOf(row.sourceDate),
      parameters,
    }),
  };
}

/** The line of a point. @throws IssuerError `validation_failed` */
export function pointLine(
  point: MarketPoint,
  about: { product: Product; tiers: IssuerTiers | null; parameters: PerpsParameters },
): string {
  const { start, quality, ...published } = point;
  const whole = overlayOf({ ...about, date: point.date });
  const evidence = whole.evidence.filter((one) => one.risk_tier !== null);
  const value = {
    ...published,
    observed_bucket_utc: instant(start),
    factors: { ...point.factors },
    source_fields_used: [...point.source_fields_used],
    quality: qualityMembers(quality),
    // a point names the constituents that have a tier; all of them stand in the registry of its date
    ...(evidence.length === 0 ? {} : { constituent_overlay: { ...whole, evidence } }),
  } as MarketFieldPoint;
  const key = `market-field-map of ${about.product.product}`;
  return `${canonicalJson(validated({ schema: marketFieldPoint, value, key }))}\n`;
}

/** The constituents that are registrants, with the tier that the slice of the date gives them (M9.10). */
function overlayOf({
  product,
  date,
  tiers,
  parameters,
}: {
  product: Product;
  date: FactorRow['sourceDate'];
  tiers: IssuerTiers | null;
  parameters: PerpsParameters;
}): Overlay {
  const version = versionOn(product, date);
  const { overlay } = issuerTruth({ product, version, tiers, parameters });
  const names = new Map((version?.constituents ?? []).map(({ ticker, name }) => [ticker, name]));
  const evidence = overlay.map(({ ticker, weight, risk_tier }) => ({
    ticker,
    name: names.get(ticker) ?? ticker,
    weight,
    risk_tier: risk_tier as Overlay['evidence'][number]['risk_tier'],
  }));
  const inherited = evidence.some((one) => one.risk_tier !== null);
  return { inherited, evidence, slice: tiers === null ? null : date };
}
