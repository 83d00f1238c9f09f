import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Closes } from '../../calculators/market/baskets/constituentPrice.ts';
import type { Product } from '../../calculators/market/baskets/product.ts';
import {
  type FactorRow,
  factorIds,
  type Inputs,
  inputIds,
} from '../../calculators/market/factors/factorRow.ts';
import { factorRows } from '../../calculators/market/factors/factorRows.ts';
import type {
  BucketLength,
  Contract,
  ContractSeries,
  MarketBucket,
} from '../../calculators/market/marketBucket.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { sha256Hex } from '../release/artifact.ts';
import { appendRows } from '../warehouse/build/appendRows.ts';
import type { HeldBuckets } from './contractBuckets.ts';
import { factorMethod, storedRow } from './factorRows.ts';

/** Buckets a product's rows are computed in one go: what is held of them stays bounded. */
const stepBuckets = 10_000;
/** Buckets that are read with one statement, unless one step needs more. */
const batchBuckets = 40_000;
const dayMs = 86_400_000;

/** Rows of one product and length that are to be computed. */
type MarketRange = {
  readonly product: Product;
  readonly bucketLength: BucketLength;
  /** Of the product's contracts those with buckets of that length, and which. */
  readonly held: readonly HeldBuckets[];
  /** Epoch milliseconds: the rows of buckets that start from here are computed again. */
  readonly from: number;
};

type Keeping = {
  readonly closes: Closes;
  /** No bucket that ends later is read. */
  readonly until: number;
  readonly parameters: Parameters;
  readonly stopIfAsked: () => void;
};

/** A range, or a part of a long one. */
type Step = MarketRange & { readonly to: number };

/** A product whose rows cannot be computed, and why. */
export class RefusedProduct extends Error {
  readonly product: string;
  readonly reason: IssuerError;

  constructor(product: string, reason: IssuerError) {
    super(reason.message);
    this.product = product;
    this.reason = reason;
  }
}

/**
 * Computes the factor rows of each range from its first bucket on and keeps them in place of earlier ones; returns how
 * many.
 *
 * @throws RefusedProduct for the first product whose rows cannot be computed
 */
export async function keepMarketRows(
  connection: DuckDBConnection,
  { ranges, ...keeping }: Keeping & { readonly ranges: readonly MarketRange[] },
): Promise<number> {
  const { until, parameters } = keeping;
  const spans = ranges.map((range) => {
    const lengthMs = lengthOf(range.bucketLength, parameters);
    const first = range.held.reduce((least, one) => Math.min(least, one.first), until);
    return { ...range, lengthMs, first };
  });
  await forgetRows(connection, { spans, until });
  const steps = spans.flatMap(({ lengthMs, first, ...range }): Step[] => {
    const last = range.held.reduce((most, one) => Math.max(most, one.last), 0);
    const end = Math.min(last, until - lengthMs);
    const found: Step[] = [];
    for (let from = Math.max(range.from, first); from <= end; from += stepBuckets * lengthMs) {
      const to = Math.min(from + (stepBuckets - 1) * lengthMs, end);
      // a row is of a contract whose bucket it has, and looks back at no other (M8.2b)
      const held = range.held.filter((one) => one.first <= to && one.last >= from);
      if (held.length > 0) found.push({ ...range, held, from, to });
    }
    return found;
  });
  let count = 0;
  for (const batch of batchesOf(steps, parameters)) {
    keeping.stopIfAsked();
    count += await keepBatch(connection, { batch, ...keeping });
  }
  return count;
}

/** Removes the rows of the ranges whose buckets end up to `until`. */
async function forgetRows(
  connection: DuckDBConnection,
  { spans, until }: { spans: readonly (MarketRange & { lengthMs: number })[]; until: number },
): Promise<void> {
  const columns = { product: 'VARCHAR', bucket_length: 'VARCHAR', since_ms: 'BIGINT', until_ms: 'BIGINT' };
  const rows = spans.map(({ product, bucketLength, from, lengthMs }) => ({
    product: product.product,
    bucket_length: bucketLength,
    since_ms: from,
    until_ms: until - lengthMs,
  }));
  await connection.run(
    `DELETE FROM market_factor f
    USING (SELECT unnest(from_json($rows::JSON, '${JSON.stringify([columns])}'), max_depth := 2)) gone
    WHERE f.product = gone.product AND f.bucket_length = gone.bucket_length AND f.method_version = $version
      AND f.bucket_ms BETWEEN gone.since_ms AND gone.until_ms`,
    { rows: JSON.stringify(rows), version: factorMethod },
  );
}

/** Steps in their order, as many together as may be read at once. */
function batchesOf(steps: readonly Step[], parameters: Parameters): Step[][] {
  const batches: Step[][] = [];
  let room = 0;
  for (const step of steps) {
    const { window, minutes } = parameters.perps.buckets[step.bucketLength];
    const before = window + (horizonDays(parameters) * 1440) / minutes;
    const needed = step.held.reduce((sum, { buckets }) => sum + Math.min(buckets, stepBuckets + before), 0);
    room -= needed;
    if (batches.length === 0 || room < 0) {
      batches.push([]);
      room = batchBuckets - needed;
    }
    batches.at(-1)?.push(step);
  }
  return batches;
}

async function keepBatch(
  connection: DuckDBConnection,
  { batch, closes, parameters }: Keeping & { readonly batch: readonly Step[] },
): Promise<number> {
  const asked = batch.flatMap(({ bucketLength, held, from, to }) =>
    held.map(({ venue, symbol }) => ({
      contract: { venue, symbol },
      bucketLength,
      window: parameters.perps.buckets[bucketLength].window,
      from,
      to,
      horizonMs: horizonDays(parameters) * dayMs,
    })),
  );
  const read = await readSeries(connection, asked);
  const windows = batch.flatMap(({ product, bucketLength, held, from }) =>
    held.map(({ venue, symbol }) => ({
      product: product.product,
      contract: { venue, symbol },
      bucketLength,
      from,
    })),
  );
  const published = await readPublishedInputs(
    connection,
    windows.map(({ from, ...one }, i) => ({
      ...one,
      since: read[i]?.buckets[0]?.start ?? from,
      before: from,
    })),
  );
  const series = read.map((one, i) => ({ ...one, published: published[i] ?? new Map<number, Inputs>() }));
  function* cells(): Generator<DuckDBValue[]> {
    let at = 0;
    for (const { product, bucketLength, held, from, to } of batch) {
      const own = series.slice(at, at + held.length);
      at += held.length;
      try {
        const rows = factorRows({ product, bucketLength, series: own, closes, from, to: to + 1, parameters });
        yield* rows.map(cellsOf);
      } catch (error) {
        if (!(error instanceof IssuerError) || error.code !== 'validation_failed') throw error;
        throw new RefusedProduct(product.product, error);
      }
    }
  }
  return appendRows(connection, { table: 'market_factor', rows: cells() });
}

/** How far the oldest bucket of a window looks back. */
function horizonDays({ perps }: Parameters): number {
  return perps.windows.longVolatilityDays + 4;
}

function lengthOf(bucketLength: BucketLength, { perps }: Parameters): number {
  return perps.buckets[bucketLength].minutes * 60_000;
}

/** In the order of the table's columns. */
function cellsOf(row: FactorRow): DuckDBValue[] {
  const payload = storedRow(row);
  return [
    ...[row.product, row.bucketLength, BigInt(row.start), row.sourceDate, factorMethod],
    ...[row.contract.venue, row.contract.symbol],
    ...factorIds.map((id) => row.factors[id]),
    ...inputIds.map((id) => row.zScores[id]),
    ...[row.groups.carry, row.groups.positioning, row.groups.market],
    ...[row.quality.status, row.quality.historyRows, row.quality.flags.join('|')],
    ...[row.lineage.registryEffectiveDate, row.isAvailable, payload, sha256Hex(payload)],
  ];
}

/** Rows that are asked for. */
type AskedInputs = {
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
 * The inputs that stored rows were published with, by bucket, in the order they are asked for. Buckets whose row is of
 * another contract of the product are not there.
 */
async function readPublishedInputs(
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
type AskedSeries = {
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

const askedShape = JSON.stringify([
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
async function readSeries(
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
    `WITH asked AS MATERIALIZED (SELECT unnest(from_json($asked::JSON, '${askedShape}'), max_depth := 2)),
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
