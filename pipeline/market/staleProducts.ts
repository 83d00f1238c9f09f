import type { DuckDBConnection } from '@duckdb/node-api';
import { daysBetween } from '../../calculators/exact/civilDate.ts';
import type { Product } from '../../calculators/market/baskets/product.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { factorMethod } from './storedRow.ts';

/** Products whose newest daily row is older than M8.7 allows on the slice's date, where nights before had rows: a sentence a day. */
export async function staleProducts(
  connection: DuckDBConnection,
  {
    sourceDate,
    products,
    parameters,
  }: {
    readonly sourceDate: string;
    readonly products: readonly Product[];
    readonly parameters: Parameters;
  },
): Promise<readonly string[]> {
  const { staleHours } = parameters.perps.buckets['1d'];
  const rows = await readRows(
    connection,
    `SELECT product, max(source_date)::VARCHAR AS newest FROM market_factor
    WHERE bucket_length = '1d' AND method_version = $version AND source_date <= $date::DATE GROUP BY product`,
    { version: factorMethod, date: sourceDate },
  );
  const newestOf = new Map(rows.map(({ product, newest }) => [String(product), String(newest)]));
  const stale = products.flatMap(({ product }) => {
    const newest = newestOf.get(product);
    return newest === undefined || daysBetween(newest, sourceDate) * 24 <= staleHours
      ? []
      : [{ product, newest }];
  });
  return [...Map.groupBy(stale, ({ newest }) => newest)]
    .sort(([a], [b]) => compareText(a, b))
    .map(
      ([newest, of]) =>
        `the newest market rows of ${of.map(({ product }) => product).join(', ')} are of ${newest}`,
    );
}
