import type { DuckDBConnection } from '@duckdb/node-api';
import { type Product, type RegistryVersion, versionOn } from '../../calculators/market/baskets/product.ts';
import type { FactorRow } from '../../calculators/market/factors/factorRow.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { bucketLengths } from '../../calculators/parameters/perpsParameters.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { factorMethod, rowOfStored } from './factorRows.ts';

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
  /** Pressure of the last ninety daily buckets, ascending; null with evidence missing (M8.9). */
  readonly pressures: readonly DayPressure[];
};

export type DayPressure = { readonly date: string; readonly pressure: number | null };

/** What a slice knows of perpetual contracts. */
export type MarketFacts = {
  readonly sourceDate: string;
  /** Published as `computed_at_utc` (M0.13). */
  readonly asOf: string;
  readonly parameters: Parameters;
  readonly products: readonly ProductFacts[];
};

/** Available rows before a slice's date that it reads of each product and length. */
export const windowRows = 40;
const pressureRows = 90;

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
  const read = await storedRows(connection, sourceDate);
  const pressures = await dailyPressures(connection, sourceDate);
  const products = night.products.map((product): ProductFacts => {
    const factsOf = (length: BucketLength) => lengthFacts(read.get(`${product.product} ${length}`) ?? []);
    return {
      product,
      version: versionOn(product, sourceDate),
      byLength: Object.fromEntries(
        bucketLengths.map((length) => [length, factsOf(length)]),
      ) as ProductFacts['byLength'],
      pressures: pressures.get(product.product) ?? [],
    };
  });
  return { sourceDate, asOf, parameters, products };
}

function lengthFacts(read: readonly ReadRow[]): LengthFacts {
  return {
    day: read.filter((one) => one.isDay).map(({ row }) => row),
    latest: read.at(-1)?.row ?? null,
    previous: read.at(-2)?.row ?? null,
    window: read.filter((one) => one.isWindow).map(({ row }) => row),
  };
}

type ReadRow = { readonly row: FactorRow; readonly isDay: boolean; readonly isWindow: boolean };

/** The rows a slice reads, ascending, by product and length. */
async function storedRows(
  connection: DuckDBConnection,
  sourceDate: string,
): Promise<ReadonlyMap<string, readonly ReadRow[]>> {
  const rows = await readRows<Omit<ReadRow, 'row'> & { name: string; payload: string }>(
    connection,
    // the day by its date, the rows before it by key, so that no other payload is unpacked
    `WITH before AS (
      SELECT product, bucket_length, bucket_ms, available FROM market_factor
      WHERE method_version = $version AND source_date < $date::DATE
    ),
    windowed AS (
      SELECT product, bucket_length, unnest(max(bucket_ms, ${windowRows})) AS bucket_ms, true AS is_window
      FROM before WHERE available GROUP BY product, bucket_length
    ),
    newest AS (
      SELECT product, bucket_length, unnest(max(bucket_ms, 2)) AS bucket_ms, false AS is_window
      FROM before GROUP BY product, bucket_length
    ),
    wanted AS MATERIALIZED (
      SELECT product, bucket_length, bucket_ms, bool_or(is_window) AS is_window
      FROM (FROM windowed UNION ALL FROM newest) GROUP BY product, bucket_length, bucket_ms
    )
    SELECT product || ' ' || bucket_length AS name, payload, true AS "isDay", available AS "isWindow", bucket_ms
    FROM market_factor WHERE method_version = $version AND source_date = $date::DATE
    UNION ALL
    SELECT product || ' ' || bucket_length AS name, payload, false, is_window, bucket_ms
    FROM market_factor JOIN wanted USING (product, bucket_length, bucket_ms) WHERE method_version = $version
    ORDER BY name, bucket_ms`,
    { version: factorMethod, date: sourceDate },
  );
  const read = rows.map(({ payload, ...row }) => ({ ...row, row: rowOfStored(payload) }));
  return Map.groupBy(read, ({ name }) => name);
}

/** The last daily pressures that a slice knows, ascending, by product. */
async function dailyPressures(
  connection: DuckDBConnection,
  sourceDate: string,
): Promise<ReadonlyMap<string, readonly DayPressure[]>> {
  const rows = await readRows<DayPressure & { product: string }>(
    connection,
    `SELECT product, source_date::VARCHAR AS date, pressure FROM market_factor
    WHERE method_version = $version AND bucket_length = '1d' AND source_date <= $date::DATE
    QUALIFY row_number() OVER (PARTITION BY product ORDER BY bucket_ms DESC) <= ${pressureRows}
    ORDER BY product, bucket_ms`,
    { version: factorMethod, date: sourceDate },
  );
  return Map.groupBy(rows, ({ product }) => product);
}

/** What the histories of products are made from besides the slice. */
export type MarketRequest = {
  readonly products: readonly Product[];
  readonly parameters: Parameters;
  /** What the slice read of them; null where it read nothing. */
  readonly facts: MarketFacts | null;
  /** Path of the warehouse that holds their rows. */
  readonly database: string;
  /** `<data>/warehouse/journal`. */
  readonly journal: string;
  readonly code: string;
  /** Issuers with a row in the promoted slices before this one, by date. */
  readonly ciks: ReadonlyMap<string, readonly string[]>;
};
