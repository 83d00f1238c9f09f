import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import type { Closes } from '../baskets/constituentPrice.ts';
import type { Product } from '../baskets/product.ts';
import type { BucketLength, ContractSeries } from '../marketBucket.ts';
import { type ContractRows, contractRows } from './contractRows.ts';
import type { FactorRow, PublishedSeries } from './factorRow.ts';

/**
 * The factor rows of a product with `from` ≤ start < `to`, ascending: one row for each bucket in which a contract has a
 * price, from the first contract of the registry whose bucket is available, else the first that has one (M8.2b).
 * A row depends on its own bucket and what came before alone (M15.53), so rows may be made in any portions; each needs
 * `historyBuckets` earlier available buckets of its contract.
 *
 * @param from epoch milliseconds
 * @param series one a contract, buckets ascending, every bucket once
 * @throws IssuerError `validation_failed` for a series out of order, given twice or of a contract the product lacks
 */
export function factorRows({
  product,
  bucketLength,
  series,
  closes,
  from,
  to,
  parameters,
}: {
  readonly product: Product;
  readonly bucketLength: BucketLength;
  readonly series: readonly PublishedSeries[];
  readonly closes: Closes;
  readonly from: number;
  readonly to: number;
  readonly parameters: Parameters;
}): FactorRow[] {
  const found = new Map<string, ContractRows>();
  for (const one of series) {
    refuseSeries(one, { bucketLength, parameters });
    const key = keyOf(one.contract);
    if (found.has(key)) throw refused(product, key, 'is given twice');
    if (!product.contracts.some((contract) => keyOf(contract) === key))
      throw refused(product, key, 'is no contract of the product');
    const listed = { ...one, buckets: one.buckets.filter(({ start }) => isListed(product, key, start)) };
    found.set(key, contractRows(listed, { product, closes, bucketLength, parameters }));
  }
  // in the order of the registry
  const contracts = [...new Set(product.contracts.map(keyOf))].flatMap((key) => found.get(key) ?? []);
  const chosen = new Map<number, { readonly rows: ContractRows; readonly isAvailable: boolean }>();
  for (const rows of contracts) {
    for (const { start, isAvailable } of rows.starts) {
      if (start < from || start >= to) continue;
      const before = chosen.get(start);
      if (before === undefined || (isAvailable && !before.isAvailable))
        chosen.set(start, { rows, isAvailable });
    }
  }
  return [...chosen].sort(([a], [b]) => a - b).flatMap(([start, { rows }]) => rows.rowAt(start) ?? []);
}

/** How many available buckets before a row its figures may reach back (M8.4, M8.5). */
export function historyBuckets(bucketLength: BucketLength, { perps }: Parameters): number {
  const { window, minutes } = perps.buckets[bucketLength];
  const { longVolatilityDays, amihudDays, longMomentumDays, breadthDays } = perps.windows;
  // a sample of the oldest day has a day's volume behind it, a look-back two buckets
  const days = Math.max(longVolatilityDays, amihudDays, longMomentumDays, breadthDays) + 1;
  return window + (days * 1440) / minutes + 2;
}

function isListed(product: Product, key: string, start: number): boolean {
  const date = new Date(start).toISOString().slice(0, 10);
  if (product.expires !== null && date > product.expires) return false;
  return product.contracts.some(
    (contract) =>
      keyOf(contract) === key && contract.from <= date && (contract.to === null || date <= contract.to),
  );
}

function keyOf({ venue, symbol }: { readonly venue: string; readonly symbol: string }): string {
  return `${venue} ${symbol}`;
}

function refused({ product }: Product, contract: string, reason: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The series of ${contract} ${reason}: ${product}.`,
    hint: 'Compare the series with the contracts of the product in the registry of products.',
    details: { product, contract },
  });
}

/**
 * Refuses a series no factor may be computed from: a bucket twice, out of order, or that does not start at a multiple
 * of its length (M8.2). Which of two buckets counts is a question of the observations, not of the factors.
 *
 * @throws IssuerError `validation_failed` naming the contract and the first such bucket
 */
export function refuseSeries(
  { contract, buckets }: ContractSeries,
  { bucketLength, parameters }: { readonly bucketLength: BucketLength; readonly parameters: PerpsParameters },
): void {
  const lengthMs = parameters.perps.buckets[bucketLength].minutes * 60_000;
  let before = Number.NEGATIVE_INFINITY;
  for (const { start } of buckets) {
    if (!Number.isSafeInteger(start) || start % lengthMs !== 0)
      throw refusedBucket(contract, { start, reason: `does not start at a multiple of ${bucketLength}` });
    if (start === before) throw refusedBucket(contract, { start, reason: 'is there twice' });
    if (start < before) throw refusedBucket(contract, { start, reason: 'is out of order' });
    before = start;
  }
}

function refusedBucket(
  { venue, symbol }: ContractSeries['contract'],
  { start, reason }: { readonly start: number; readonly reason: string },
): IssuerError {
  const isInstant = Number.isFinite(start) && Math.abs(start) <= 8.64e15;
  const bucket = isInstant ? new Date(start).toISOString() : String(start);
  return new IssuerError({
    code: 'validation_failed',
    message: `Bucket ${bucket} of ${venue} ${symbol} ${reason}.`,
    hint: 'Build the buckets from the observations again: one bucket a start, ascending, in UTC multiples.',
    details: { venue, symbol, bucket },
  });
}
