import type { DuckDBConnection } from '@duckdb/node-api';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { factorMethod } from './storedRow.ts';

/** Every day up to `upTo` that has a factor row of that length, ascending: the dates of its histories. */
export async function factorDates(
  connection: DuckDBConnection,
  { upTo, bucketLength }: { readonly upTo: string; readonly bucketLength: BucketLength },
): Promise<readonly string[]> {
  const rows = await readRows(
    connection,
    `SELECT DISTINCT source_date::VARCHAR AS day FROM market_factor
    WHERE source_date <= $date::DATE AND bucket_length = $length AND method_version = $version ORDER BY day`,
    { date: upTo, length: bucketLength, version: factorMethod },
  );
  return rows.map((row) => String(row['day']));
}
