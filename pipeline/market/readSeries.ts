import type { DuckDBConnection } from '@duckdb/node-api';
import type {
  BucketLength,
  Contract,
  ContractSeries,
  MarketBucket,
} from '../../calculators/market/marketBucket.ts';

const columns = [
  'bucket_ms',
  'mark',
  'index_price',
  'last',
  'open_interest',
  'funding_rate',
  'funding_interval_hours',
  'volume_base',
  'volume_usd',
  'liquidations_long_usd',
  'liquidations_short_usd',
  'observations',
  'synthetic',
  'flags',
];

type Range = {
  readonly contract: Contract;
  readonly bucketLength: BucketLength;
  /** Available buckets before `from` that the windows of its row count (M8.5). */
  readonly window: number;
  /** Epoch milliseconds; the first bucket that is computed. */
  readonly from: number;
  readonly to: number;
  /** What the oldest bucket of the window looks back to. */
  readonly horizonMs: number;
};

/**
 * The buckets of a contract that rows from `from` to `to` follow from: those of the range, the window before it, and what
 * the window's first bucket looks back to. Nothing before it moves these rows.
 */
export async function readSeries(
  connection: DuckDBConnection,
  { contract, bucketLength, window, from, to, horizonMs }: Range,
): Promise<ContractSeries> {
  const which = 'venue = $venue AND symbol = $symbol AND bucket_length = $length';
  const values = { venue: contract.venue, symbol: contract.symbol, length: bucketLength };
  const result = await connection.run(
    `WITH start AS (
      SELECT min(bucket_ms) - $horizon::BIGINT AS ms FROM (
        SELECT bucket_ms FROM market_bucket WHERE ${which} AND bucket_ms < $from::BIGINT
          AND mark IS NOT NULL AND index_price IS NOT NULL
        ORDER BY bucket_ms DESC LIMIT ${window}
      )
    )
    SELECT ${columns.join(', ')} FROM market_bucket
    WHERE ${which} AND bucket_ms <= $to::BIGINT
      AND bucket_ms >= least($from::BIGINT - $horizon::BIGINT, coalesce((SELECT ms FROM start), $from::BIGINT))
    ORDER BY bucket_ms`,
    { ...values, from: BigInt(from), to: BigInt(to), horizon: BigInt(horizonMs) },
  );
  const rows = await result.getRowsJS();
  return { contract, buckets: rows.map(bucketOf) };
}

function bucketOf(cells: readonly unknown[]): MarketBucket {
  const n = (i: number) => (cells[i] as number | null | undefined) ?? null;
  const flags = String(cells[13] ?? '');
  return {
    start: Number(cells[0]),
    mark: n(1),
    index: n(2),
    last: n(3),
    openInterest: n(4),
    fundingRate: n(5),
    fundingIntervalHours: n(6),
    volumeBase: n(7),
    volumeUsd: n(8),
    liquidationsLongUsd: n(9),
    liquidationsShortUsd: n(10),
    observations: Number(cells[11]),
    synthetic: cells[12] === true,
    flags: flags === '' ? [] : flags.split('|'),
  };
}
