import type { DuckDBConnection } from '@duckdb/node-api';
import type { FactorRow } from '../../calculators/market/factors/factorRow.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { factorMethod, rowOfStored } from './storedRow.ts';

/** The factor rows of one length from one day to another, by product and bucket. */
export async function rowsOfDates(
  connection: DuckDBConnection,
  {
    from,
    to,
    bucketLength,
  }: { readonly from: string; readonly to: string; readonly bucketLength: BucketLength },
): Promise<readonly FactorRow[]> {
  const rows = await readRows(
    connection,
    `SELECT payload FROM market_factor
    WHERE source_date BETWEEN $from::DATE AND $to::DATE AND bucket_length = $length AND method_version = $version
    ORDER BY product, bucket_ms`,
    { from, to, length: bucketLength, version: factorMethod },
  );
  return rows.map((row) => rowOfStored(String(row['payload'])));
}
