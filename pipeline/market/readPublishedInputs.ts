import type { DuckDBConnection } from '@duckdb/node-api';
import { type Inputs, inputIds } from '../../calculators/market/factors/factorRow.ts';
import type { BucketLength, Contract } from '../../calculators/market/marketBucket.ts';
import { factorMethod } from './storedRow.ts';

/** Rows that are asked for. */
export type AskedInputs = {
  readonly product: string;
  readonly contract: Contract;
  readonly bucketLength: BucketLength;
  /** Epoch milliseconds: those of buckets from the first on, before the other. */
  readonly since: number;
  readonly before: number;
};

const shape = JSON.stringify([
  {
    place: 'INTEGER',
    product: 'VARCHAR',
    venue: 'VARCHAR',
    contract_symbol: 'VARCHAR',
    bucket_length: 'VARCHAR',
    since_ms: 'BIGINT',
    before_ms: 'BIGINT',
  },
]);

/**
 * The inputs that rows at hand were published with, by bucket, in the order they are asked for. Buckets whose row is of
 * another contract of the product are not there.
 */
export async function readPublishedInputs(
  connection: DuckDBConnection,
  asked: readonly AskedInputs[],
): Promise<readonly ReadonlyMap<number, Inputs>[]> {
  const rows = asked.map(({ product, contract, bucketLength, since, before }, place) => ({
    place,
    product,
    venue: contract.venue,
    contract_symbol: contract.symbol,
    bucket_length: bucketLength,
    since_ms: since,
    before_ms: before,
  }));
  const found = asked.map(() => new Map<number, Inputs>());
  if (asked.length === 0) return found;
  const result = await connection.run(
    `SELECT place, bucket_ms, ${inputIds.join(', ')}
    FROM market_factor JOIN (SELECT unnest(from_json($asked::JSON, '${shape}'), max_depth := 2))
      USING (product, venue, contract_symbol, bucket_length)
    WHERE method_version = $version AND bucket_ms >= since_ms AND bucket_ms < before_ms`,
    { asked: JSON.stringify(rows), version: factorMethod },
  );
  for (const [place, start, ...values] of await result.getRowsJS()) {
    const inputs = Object.fromEntries(inputIds.map((id, i) => [id, (values[i] ?? null) as number | null]));
    found[Number(place)]?.set(Number(start), inputs as Inputs);
  }
  return found;
}
