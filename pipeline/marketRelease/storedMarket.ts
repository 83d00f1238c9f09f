import type { DuckDBConnection } from '@duckdb/node-api';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import type { HeldRows } from '../../calculators/market/readings/coverageWindow.ts';
import { factorMethod } from '../market/factorRows.ts';
import { readRows } from '../warehouse/build/readRows.ts';

/** The rows of a date. */
export type DayRows = {
  readonly rows: number;
  /** Changes when one of them does. */
  readonly hash: string;
  /** Changes when one of them does or an available one of the days before that their points depend on. */
  readonly reach: string;
};

/**
 * Each date up to `upTo` that has a factor row, ascending, by length.
 *
 * @param pointRows how many available rows of its product a point depends on, its own among them: so many days with one are
 *   in its reach, of a length with several rows a day more than it needs
 */
export async function dayRows(
  connection: DuckDBConnection,
  { upTo, pointRows }: { readonly upTo: string; readonly pointRows: number },
): Promise<(length: BucketLength) => ReadonlyMap<string, DayRows>> {
  const found = await readRows<DayRows & { length: BucketLength; day: string }>(
    connection,
    // a payload names its product and bucket, so no two are equal and their order says nothing
    `WITH days AS (
      SELECT bucket_length, product, source_date, count(*) AS rows, bit_xor(hash(payload_sha256)) AS own,
        bit_xor(hash(payload_sha256)) FILTER (available) AS usable
      FROM market_factor WHERE method_version = $version AND source_date <= $date::DATE
      GROUP BY bucket_length, product, source_date
    ), placed AS (
      SELECT *, count(usable) OVER (PARTITION BY bucket_length, product ORDER BY source_date) AS place FROM days
    ), reaching AS (
      SELECT *, bit_xor(usable) OVER (PARTITION BY bucket_length, product
        ORDER BY place - (usable IS NOT NULL)::INTEGER RANGE BETWEEN ${pointRows - 1} PRECEDING AND 1 PRECEDING) AS earlier
      FROM placed
    )
    SELECT bucket_length AS length, source_date::VARCHAR AS day, sum(rows)::INTEGER AS rows, bit_xor(own)::VARCHAR AS hash,
      bit_xor(hash(product, own, earlier))::VARCHAR AS reach
    FROM reaching GROUP BY bucket_length, source_date ORDER BY bucket_length, source_date`,
    { version: factorMethod, date: upTo },
  );
  const byLength = Map.groupBy(found, ({ length }) => length);
  return (length) => new Map((byLength.get(length) ?? []).map((row) => [row.day, row]));
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
  /** The same with the available rows, by product and length. */
  readonly held: ReadonlyMap<string, HeldRows>;
}> {
  const given = { version: factorMethod, date: sourceDate };
  const recent = await readRows<{ name: string; n: number }>(
    connection,
    `SELECT product || ' ' || bucket_length AS name, count(*)::INTEGER AS n FROM market_factor
    WHERE method_version = $version AND available
      AND source_date BETWEEN $date::DATE - 6 AND $date::DATE GROUP BY name`,
    given,
  );
  const held = await readRows<HeldRows & { product: string; length: string }>(
    connection,
    `SELECT product, bucket_length AS length, min(bucket_ms)::DOUBLE AS first, max(bucket_ms)::DOUBLE AS last,
      (count(*) FILTER (available))::INTEGER AS available FROM market_factor
    WHERE method_version = $version AND source_date <= $date::DATE GROUP BY product, bucket_length`,
    given,
  );
  const reach = [...Map.groupBy(held, ({ length }) => length)].map(([length, of]) => {
    const [first, last] = [of.map((one) => one.first), of.map((one) => one.last)];
    return [length, { first: Math.min(...first), last: Math.max(...last) }] as const;
  });
  return {
    recent: new Map(recent.map(({ name, n }) => [name, n])),
    reach: new Map(reach),
    held: new Map(held.map((one) => [`${one.product} ${one.length}`, one])),
  };
}
