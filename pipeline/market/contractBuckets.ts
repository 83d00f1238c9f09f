import type { DuckDBConnection } from '@duckdb/node-api';
import type { BucketLength, Contract } from '../../calculators/market/marketBucket.ts';
import { readRows, readSql } from '../warehouse/build/readRows.ts';

/** Which buckets of one length are held of a contract: the starts of the first and the last, epoch milliseconds, and how many. */
export type HeldBuckets = Contract & {
  readonly bucketLength: BucketLength;
  readonly first: number;
  readonly last: number;
  readonly buckets: number;
};

/** Every contract and length of which buckets are held. */
export async function heldBuckets(connection: DuckDBConnection): Promise<readonly HeldBuckets[]> {
  return readRows(
    connection,
    `SELECT venue, symbol, bucket_length AS "bucketLength", min(bucket_ms)::DOUBLE AS first, max(bucket_ms)::DOUBLE AS last,
      count(*)::INTEGER AS buckets
    FROM market_bucket GROUP BY venue, symbol, bucket_length ORDER BY venue, symbol, bucket_length`,
  );
}

/** From which bucket on a contract's buckets are others than before. */
export type ChangedBuckets = {
  readonly venue: string;
  readonly symbol: string;
  readonly bucketLength: BucketLength;
  /** Epoch milliseconds. */
  readonly from: number;
};

/**
 * Makes the buckets of the days up to an instant, the end of one, from the available observations, and says where they
 * differ from those the factor rows were computed from. Only days of which an input says something else than before are
 * made again; later ones wait.
 */
export async function syncBuckets(
  connection: DuckDBConnection,
  { until }: { readonly until: number },
): Promise<readonly ChangedBuckets[]> {
  const script = await readSql('syncBuckets.sql');
  await connection.run(`SET VARIABLE market_until = ${Math.trunc(until)}::BIGINT`);
  await connection.run(script);
  const rows = await readRows<ChangedBuckets>(
    connection,
    `SELECT venue, symbol, bucket_length AS "bucketLength", from_ms::DOUBLE AS "from" FROM changed_bucket ORDER BY ALL`,
  );
  await connection.run('DROP TABLE changed_bucket');
  return rows;
}
