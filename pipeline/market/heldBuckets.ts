import type { DuckDBConnection } from '@duckdb/node-api';
import type { BucketLength, Contract } from '../../calculators/market/marketBucket.ts';
import { readRows } from '../warehouse/build/readRows.ts';

/** Which buckets of one length are held of a contract: the starts of the first and the last, epoch milliseconds, and how many. */
export type HeldBuckets = Contract & {
  readonly bucketLength: BucketLength;
  readonly first: number;
  readonly last: number;
  readonly buckets: number;
};

/** Every contract and length of which buckets are held. */
export async function heldBuckets(connection: DuckDBConnection): Promise<readonly HeldBuckets[]> {
  const rows = await readRows(
    connection,
    `SELECT venue, symbol, bucket_length, min(bucket_ms) AS first, max(bucket_ms) AS last,
      count(*)::INTEGER AS buckets
    FROM market_bucket GROUP BY venue, symbol, bucket_length ORDER BY venue, symbol, bucket_length`,
  );
  return rows.map((row) => ({
    venue: String(row['venue']),
    symbol: String(row['symbol']),
    bucketLength: row['bucket_length'] as BucketLength,
    first: Number(row['first']),
    last: Number(row['last']),
    buckets: Number(row['buckets']),
  }));
}
