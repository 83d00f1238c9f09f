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

/** Buckets that are asked for. */
export type AskedSeries = {
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

const shape = JSON.stringify([
  {
    place: 'INTEGER',
    venue: 'VARCHAR',
    symbol: 'VARCHAR',
    bucket_length: 'VARCHAR',
    take: 'INTEGER',
    from_ms: 'BIGINT',
    to_ms: 'BIGINT',
    horizon_ms: 'BIGINT',
  },
]);

/**
 * The buckets of contracts that rows from `from` to `to` follow from, in the order they are asked for: those of the
 * range, the window before it, and what the window's first bucket looks back to. Nothing before it moves these rows.
 *
 * One statement for all: most nights ask for few buckets of many contracts.
 */
export async function readSeries(
  connection: DuckDBConnection,
  asked: readonly AskedSeries[],
): Promise<readonly ContractSeries[]> {
  if (asked.length === 0) return [];
  const rows = asked.map(({ contract, bucketLength, window, from, to, horizonMs }, place) => ({
    place,
    ...contract,
    bucket_length: bucketLength,
    take: window,
    from_ms: from,
    to_ms: to,
    horizon_ms: horizonMs,
  }));
  const widest = Math.max(...asked.map(({ window }) => window));
  const result = await connection.run(
    `WITH asked AS MATERIALIZED (SELECT unnest(from_json($asked::JSON, '${shape}'), max_depth := 2)),
    windowed AS (
      SELECT place, list_min(list_slice(max(bucket_ms, ${widest}), 1, any_value(take))) AS first_ms
      FROM market_bucket JOIN asked USING (venue, symbol, bucket_length)
      WHERE bucket_ms < from_ms AND mark IS NOT NULL AND index_price IS NOT NULL GROUP BY place
    ),
    reach AS (
      SELECT place, venue, symbol, bucket_length, to_ms, coalesce(first_ms, from_ms) - horizon_ms AS since_ms
      FROM asked LEFT JOIN windowed USING (place)
    )
    SELECT ${columns.join(', ')}, place FROM market_bucket JOIN reach USING (venue, symbol, bucket_length)
    WHERE bucket_ms BETWEEN since_ms AND to_ms
    ORDER BY place, bucket_ms`,
    { asked: JSON.stringify(rows) },
  );
  const found = Map.groupBy(await result.getRowsJS(), (cells) => Number(cells[columns.length]));
  return asked.map(({ contract }, place) => ({
    contract,
    buckets: (found.get(place) ?? []).map(bucketOf),
  }));
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
