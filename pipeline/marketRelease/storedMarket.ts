import type { DuckDBConnection } from '@duckdb/node-api';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import type { HeldRows } from '../../calculators/market/readings/coverageWindow.ts';
import { factorMethod } from '../market/storedRow.ts';
import { readRows } from '../warehouse/build/readRows.ts';

/** The rows of a date: how many, and what changes when one of them does. */
export type DayRows = { readonly rows: number; readonly hash: string };

/** Each date up to `upTo` that has a factor row, ascending, by length. */
export async function dayRows(
  connection: DuckDBConnection,
  { upTo }: { readonly upTo: string },
): Promise<(length: BucketLength) => ReadonlyMap<string, DayRows>> {
  const found = await readRows(
    connection,
    // a payload names its product and bucket, so no two are equal and their order says nothing
    `SELECT bucket_length, source_date::VARCHAR AS day, count(*)::INTEGER AS rows,
      bit_xor(hash(payload_sha256))::VARCHAR AS hash
    FROM market_factor
    WHERE method_version = $version AND source_date <= $date::DATE
    GROUP BY bucket_length, source_date ORDER BY bucket_length, source_date`,
    { version: factorMethod, date: upTo },
  );
  const byLength = Map.groupBy(found, (row) => String(row['bucket_length']));
  return (length) =>
    new Map(
      (byLength.get(length) ?? []).map(({ day, rows, hash }) => [
        String(day),
        { rows: Number(rows), hash: String(hash) },
      ]),
    );
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
  const recent = await readRows(
    connection,
    `SELECT product || ' ' || bucket_length AS name, count(*)::INTEGER AS n FROM market_factor
    WHERE method_version = $version AND available
      AND source_date BETWEEN $date::DATE - 6 AND $date::DATE GROUP BY name`,
    given,
  );
  const held = await readRows(
    connection,
    `SELECT product, bucket_length AS length, min(bucket_ms) AS first, max(bucket_ms) AS last,
      (count(*) FILTER (available))::INTEGER AS available FROM market_factor
    WHERE method_version = $version AND source_date <= $date::DATE GROUP BY product, bucket_length`,
    given,
  );
  const rows = held.map(({ product, length, first, last, available }) => ({
    name: `${product} ${length}`,
    length: String(length),
    held: { first: Number(first), last: Number(last), available: Number(available) },
  }));
  const reach = [...Map.groupBy(rows, ({ length }) => length)].map(([length, of]) => {
    const [first, last] = [of.map((one) => one.held.first), of.map((one) => one.held.last)];
    return [length, { first: Math.min(...first), last: Math.max(...last) }] as const;
  });
  return {
    recent: new Map(recent.map(({ name, n }) => [String(name), Number(n)])),
    reach: new Map(reach),
    held: new Map(rows.map((one) => [one.name, one.held])),
  };
}
