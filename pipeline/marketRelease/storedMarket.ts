import type { DuckDBConnection } from '@duckdb/node-api';
import type { FactorRow } from '../../calculators/market/factorRow.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import { factorMethod, rowOfStored } from '../market/storedRow.ts';
import { readRows } from '../warehouse/build/readRows.ts';

/** Each date up to `upTo` that has a factor row of a length, ascending, with one hash over all of them. */
export async function dayHashes(
  connection: DuckDBConnection,
  { upTo, length }: { readonly upTo: string; readonly length: BucketLength },
): Promise<ReadonlyMap<string, string>> {
  const rows = await readRows(
    connection,
    `SELECT source_date::VARCHAR AS day,
      sha256(string_agg(product || ' ' || payload_sha256, ' ' ORDER BY product, bucket_ms)) AS hash
    FROM market_factor
    WHERE bucket_length = $length AND method_version = $version AND source_date <= $date::DATE
    GROUP BY source_date ORDER BY source_date`,
    { length, version: factorMethod, date: upTo },
  );
  return new Map(rows.map(({ day, hash }) => [String(day), String(hash)]));
}

/**
 * The factor rows of a product from one date to another, ascending.
 *
 * @param o.before how many available rows before them are read as well
 */
export async function productRows(
  connection: DuckDBConnection,
  {
    product,
    length,
    from,
    to,
    before = 0,
  }: {
    readonly product: string;
    readonly length: BucketLength;
    readonly from: string;
    readonly to: string;
    readonly before?: number;
  },
): Promise<readonly FactorRow[]> {
  const rows = await readRows(
    connection,
    `WITH own AS (
      SELECT bucket_ms, source_date, available, payload FROM market_factor
      WHERE product = $product AND bucket_length = $length AND method_version = $version
        AND source_date <= $to::DATE
    )
    SELECT payload FROM own
    WHERE source_date >= $from::DATE OR bucket_ms IN (
      SELECT bucket_ms FROM own WHERE available AND source_date < $from::DATE ORDER BY bucket_ms DESC LIMIT ${before}
    )
    ORDER BY bucket_ms`,
    { product, length, version: factorMethod, from, to },
  );
  return rows.map(({ payload }) => rowOfStored(String(payload)));
}

/** What the warehouse says of the rows of each length as a whole. */
export async function marketCounts(
  connection: DuckDBConnection,
  { sourceDate }: { readonly sourceDate: string },
): Promise<{
  /** Available rows of the seven days that end with the date, by product and length. */
  readonly recent: ReadonlyMap<string, number>;
  /** First and last bucket of each length, epoch milliseconds. */
  readonly reach: ReadonlyMap<string, { readonly first: number; readonly last: number }>;
}> {
  const given = { version: factorMethod, date: sourceDate };
  const recent = await readRows(
    connection,
    `SELECT product || ' ' || bucket_length AS name, count(*)::INTEGER AS n FROM market_factor
    WHERE method_version = $version AND available
      AND source_date BETWEEN $date::DATE - 6 AND $date::DATE GROUP BY name`,
    given,
  );
  const reach = await readRows(
    connection,
    `SELECT bucket_length AS name, min(bucket_ms) AS first, max(bucket_ms) AS last FROM market_factor
    WHERE method_version = $version AND source_date <= $date::DATE GROUP BY name`,
    given,
  );
  return {
    recent: new Map(recent.map(({ name, n }) => [String(name), Number(n)])),
    reach: new Map(
      reach.map(({ name, first, last }) => [String(name), { first: Number(first), last: Number(last) }]),
    ),
  };
}
