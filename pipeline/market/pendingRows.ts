import type { DuckDBConnection } from '@duckdb/node-api';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import { insertRows } from '../warehouse/build/insertRows.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { factorMethod } from './factorRows.ts';

/** Rows of a product and length that are to be computed. */
export type PendingRows = {
  readonly product: string;
  readonly bucketLength: BucketLength;
  /** Epoch milliseconds: those of buckets that start from here. */
  readonly from: number;
};

/** What earlier nights left: rows after their date, and those of a product that could not be computed. */
export async function readPending(connection: DuckDBConnection): Promise<readonly PendingRows[]> {
  const rows = await readRows(connection, 'SELECT product, bucket_length, from_ms FROM market_pending');
  return rows.map(({ product, bucket_length, from_ms }) => ({
    product: String(product),
    bucketLength: bucket_length as BucketLength,
    from: Number(from_ms),
  }));
}

/** Notes what is to be computed before it is, so that nothing is lost when it cannot be. */
export async function notePending(
  connection: DuckDBConnection,
  pending: readonly PendingRows[],
): Promise<void> {
  const columns = { product: 'VARCHAR', bucket_length: 'VARCHAR', from_ms: 'BIGINT' };
  await connection.run('DELETE FROM market_pending');
  await insertRows(connection, {
    table: 'market_pending',
    columns,
    rows: pending.map(({ product, bucketLength, from }) => [product, bucketLength, from]),
  });
}

/** Takes the rows of products that were computed up to `until` off the list; later ones follow from them and stay on it. */
export async function settlePending(
  connection: DuckDBConnection,
  { products, until }: { readonly products: readonly string[]; readonly until: number },
): Promise<void> {
  const given = { products: JSON.stringify(products), until: BigInt(until), version: factorMethod };
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE later AS
    SELECT product, bucket_length FROM market_factor SEMI JOIN market_pending USING (product, bucket_length)
    WHERE bucket_ms >= $until AND method_version = $version GROUP BY ALL`,
    { until: given.until, version: given.version },
  );
  await connection.run(
    `DELETE FROM market_pending
    WHERE product IN (SELECT unnest(from_json($products::JSON, '["VARCHAR"]')))
      AND (product, bucket_length) NOT IN (SELECT (product, bucket_length) FROM later)`,
    { products: given.products },
  );
  await connection.run(
    `UPDATE market_pending SET from_ms = greatest(from_ms, $until)
    WHERE product IN (SELECT unnest(from_json($products::JSON, '["VARCHAR"]')))`,
    { products: given.products, until: given.until },
  );
  await connection.run('DROP TABLE later');
}
