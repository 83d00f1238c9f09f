import type { DuckDBConnection } from '@duckdb/node-api';
import { daysBetween } from '../../calculators/exact/civilDate.ts';
import type { Product } from '../../calculators/market/baskets/product.ts';
import type { FactorRow } from '../../calculators/market/factors/factorRow.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { readRows } from '../warehouse/build/readRows.ts';

/** Version of the rules the factor rows follow (M8); a row of another version stays beside its own (M10.4). */
export const factorMethod = 'mcore-1.1';

/** The row as the warehouse keeps it: whole, numbers exact, members in the order of the type. */
export function storedRow(row: FactorRow): string {
  return JSON.stringify(row);
}

/** The row that {@link storedRow} wrote. */
export function rowOfStored(payload: string): FactorRow {
  return JSON.parse(payload) as FactorRow;
}

/** Every day up to `upTo` that has a factor row of that length, ascending: the dates of its histories. */
export async function factorDates(
  connection: DuckDBConnection,
  { upTo, bucketLength }: { readonly upTo: string; readonly bucketLength: BucketLength },
): Promise<readonly string[]> {
  const rows = await readRows<{ day: string }>(
    connection,
    `SELECT DISTINCT source_date::VARCHAR AS day FROM market_factor
    WHERE source_date <= $date::DATE AND bucket_length = $length AND method_version = $version ORDER BY day`,
    { date: upTo, length: bucketLength, version: factorMethod },
  );
  return rows.map(({ day }) => day);
}

/** The factor rows of one length from one day to another, by product and bucket. */
export async function rowsOfDates(
  connection: DuckDBConnection,
  {
    from,
    to,
    bucketLength,
  }: { readonly from: string; readonly to: string; readonly bucketLength: BucketLength },
): Promise<readonly FactorRow[]> {
  const rows = await readRows<{ payload: string }>(
    connection,
    `SELECT payload FROM market_factor
    WHERE source_date BETWEEN $from::DATE AND $to::DATE AND bucket_length = $length AND method_version = $version
    ORDER BY product, bucket_ms`,
    { from, to, length: bucketLength, version: factorMethod },
  );
  return rows.map(({ payload }) => rowOfStored(payload));
}

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
  const rows = await readRows<{ product: string; newest: string }>(
    connection,
    `SELECT product, max(source_date)::VARCHAR AS newest FROM market_factor
    WHERE bucket_length = '1d' AND method_version = $version AND source_date <= $date::DATE GROUP BY product`,
    { version: factorMethod, date: sourceDate },
  );
  const newestOf = new Map(rows.map(({ product, newest }) => [product, newest]));
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

/** Why pressure may not be published: the first level of coverage that says so, with its number (M8.10, M8.14). */
export function lackingLevel({ coverage }: Pick<FactorRow, 'coverage'>): {
  readonly level: number | null;
  readonly reason: string;
} {
  const [name, found] = Object.entries(coverage).find(([, { status }]) => status !== 'available') ?? [];
  const reason = (found?.reason ?? 'inputs_missing').replaceAll('_', ' ').replace(/\.$/, '');
  return { level: name === undefined ? null : Number(name.split('_')[1]), reason };
}
