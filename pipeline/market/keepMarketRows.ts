import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Closes } from '../../calculators/market/constituentPrice.ts';
import { type FactorRow, factorIds, inputIds } from '../../calculators/market/factorRow.ts';
import { factorRows } from '../../calculators/market/factorRows.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import type { Product } from '../../calculators/market/product.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { sha256Hex } from '../release/artifact.ts';
import { appendRows } from '../warehouse/build/appendRows.ts';
import type { HeldBuckets } from './heldBuckets.ts';
import { readSeries } from './readSeries.ts';
import { factorMethod, storedRow } from './storedRow.ts';

/** Buckets a product's rows are computed in one go: what is held of them stays bounded. */
const stepBuckets = 10_000;
const dayMs = 86_400_000;

type Range = {
  readonly product: Product;
  readonly bucketLength: BucketLength;
  /** Of the product's contracts those with buckets of that length, and which. */
  readonly held: readonly HeldBuckets[];
  readonly closes: Closes;
  /** Epoch milliseconds: the rows of buckets that start from here are computed anew; 0 for all that are at hand. */
  readonly from: number;
  /** No bucket that ends later is read. */
  readonly until: number;
  readonly parameters: Parameters;
  readonly stopIfAsked: () => void;
};

/** Computes the factor rows of one product and length from a bucket on and keeps them in place of earlier ones; returns how many. */
export async function keepMarketRows(connection: DuckDBConnection, range: Range): Promise<number> {
  const { product, bucketLength, held, from, until, parameters } = range;
  const lengthMs = parameters.perps.buckets[bucketLength].minutes * 60_000;
  const first = held.reduce((least, one) => Math.min(least, one.first), until);
  const last = held.reduce((most, one) => Math.max(most, one.last), 0);
  // rows of buckets that are not at hand any more stay when the method changes
  const since = from === 0 ? first : from;
  const key = { product: product.product, length: bucketLength, version: factorMethod };
  await connection.run(
    `DELETE FROM market_factor WHERE product = $product AND bucket_length = $length AND method_version = $version
      AND bucket_ms >= $from::BIGINT AND bucket_ms + $ms::BIGINT <= $until::BIGINT`,
    { ...key, from: BigInt(since), ms: BigInt(lengthMs), until: BigInt(until) },
  );
  const end = Math.min(last, until - lengthMs);
  let count = 0;
  for (let start = Math.max(since, first); start <= end; start += stepBuckets * lengthMs) {
    range.stopIfAsked();
    const to = Math.min(start + (stepBuckets - 1) * lengthMs, end);
    if (held.some((one) => one.first <= to && one.last >= start)) {
      count += await keepStep(connection, { ...range, from: start, to });
    }
  }
  return count;
}

async function keepStep(
  connection: DuckDBConnection,
  { product, bucketLength, held, closes, from, to, parameters }: Range & { readonly to: number },
): Promise<number> {
  const { window } = parameters.perps.buckets[bucketLength];
  const { longVolatilityDays } = parameters.perps.windows;
  const series = [];
  for (const { venue, symbol } of held) {
    const contract = { venue, symbol };
    const horizonMs = (longVolatilityDays + 4) * dayMs;
    series.push(await readSeries(connection, { contract, bucketLength, window, from, to, horizonMs }));
  }
  const rows = factorRows({ product, bucketLength, series, closes, from, to: to + 1, parameters });
  return appendRows(connection, { table: 'market_factor', rows: rows.map(cellsOf) });
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
