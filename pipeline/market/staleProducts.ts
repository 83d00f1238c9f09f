import { daysBetween } from '../../calculators/exact/civilDate.ts';
import { compareText } from '../../contract/values/compareText.ts';
import type { MarketFacts } from './readMarketNight.ts';

/** Products whose newest daily row is older than M8.7 allows on the slice's date, where nights before had rows: a sentence a day. */
export function staleProducts({ sourceDate, parameters, products }: MarketFacts): readonly string[] {
  const { staleHours } = parameters.perps.buckets['1d'];
  const stale = products.flatMap(({ product, byLength }) => {
    const newest = byLength['1d'].latest?.sourceDate ?? null;
    return newest === null || daysBetween(newest, sourceDate) * 24 <= staleHours
      ? []
      : [{ product: product.product, newest }];
  });
  return [...Map.groupBy(stale, ({ newest }) => newest)]
    .sort(([a], [b]) => compareText(a, b))
    .map(
      ([newest, of]) =>
        `the newest market rows of ${of.map(({ product }) => product).join(', ')} are of ${newest}`,
    );
}
