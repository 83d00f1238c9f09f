import type { DuckDBConnection } from '@duckdb/node-api';
import type { FactorRow } from '../../calculators/market/factorRow.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import { type Product, type RegistryVersion, versionOn } from '../../calculators/market/product.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { bucketLengths } from '../../calculators/parameters/perpsParameters.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { factorMethod, rowOfStored } from './storedRow.ts';

/** Rows of one product and bucket length that a slice knows, ascending. */
export type LengthFacts = {
  /** Those of the slice's date. */
  readonly day: readonly FactorRow[];
  /** The newest of the date or before, and the one before it. */
  readonly latest: FactorRow | null;
  readonly previous: FactorRow | null;
  /** Available rows (M8.2): those of the date after the forty before its first, for field maps. */
  readonly window: readonly FactorRow[];
};

export type ProductFacts = {
  readonly product: Product;
  /** Registry version in force on the slice's date. */
  readonly version: RegistryVersion | null;
  readonly byLength: Readonly<Record<BucketLength, LengthFacts>>;
};

/** What a slice knows of perpetual contracts. */
export type MarketFacts = {
  readonly sourceDate: string;
  /** Published as `computed_at_utc` (M0.13). */
  readonly asOf: string;
  readonly parameters: Parameters;
  readonly products: readonly ProductFacts[];
};

const windowRows = 40;

/** Reads what a slice knows of every product from the rows the warehouse keeps; a product without one has none. */
export async function readMarketNight(
  connection: DuckDBConnection,
  night: {
    readonly sourceDate: string;
    readonly asOf: string;
    readonly products: readonly Product[];
    readonly parameters: Parameters;
  },
): Promise<MarketFacts> {
  const { sourceDate, asOf, parameters } = night;
  const products: ProductFacts[] = [];
  for (const product of night.products) {
    const lengths: Partial<Record<BucketLength, LengthFacts>> = {};
    for (const bucketLength of bucketLengths) {
      lengths[bucketLength] = await readLength(connection, {
        product: product.product,
        bucketLength,
        sourceDate,
      });
    }
    products.push({
      product,
      version: versionOn(product, sourceDate),
      byLength: lengths as ProductFacts['byLength'],
    });
  }
  return { sourceDate, asOf, parameters, products };
}

async function readLength(
  connection: DuckDBConnection,
  {
    product,
    bucketLength,
    sourceDate,
  }: { readonly product: string; readonly bucketLength: BucketLength; readonly sourceDate: string },
): Promise<LengthFacts> {
  const rows = await readRows(
    connection,
    `WITH own AS (
      SELECT bucket_ms, source_date, available, payload FROM market_factor
      WHERE product = $product AND bucket_length = $length AND method_version = $version
        AND source_date <= $date::DATE
    ),
    before AS (
      SELECT bucket_ms FROM own WHERE available AND source_date < $date::DATE ORDER BY bucket_ms DESC LIMIT ${windowRows}
    ),
    newest AS (SELECT bucket_ms FROM own ORDER BY bucket_ms DESC LIMIT 2)
    SELECT payload, source_date = $date::DATE AS is_day, available,
      bucket_ms IN (FROM before) OR source_date = $date::DATE AS is_window
    FROM own
    WHERE source_date = $date::DATE OR bucket_ms IN (FROM before) OR bucket_ms IN (FROM newest)
    ORDER BY bucket_ms`,
    { product, length: bucketLength, version: factorMethod, date: sourceDate },
  );
  const read = rows.map((row) => ({ ...row, row: rowOfStored(String(row['payload'])) }) as ReadRow);
  return {
    day: read.filter((one) => one.is_day).map(({ row }) => row),
    latest: read.at(-1)?.row ?? null,
    previous: read.at(-2)?.row ?? null,
    window: read.filter((one) => one.available && one.is_window).map(({ row }) => row),
  };
}

type ReadRow = {
  readonly row: FactorRow;
  readonly is_day: boolean;
  readonly is_window: boolean;
  readonly available: boolean;
};
