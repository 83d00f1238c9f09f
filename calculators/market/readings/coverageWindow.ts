import type { CoverageWindow } from '../../../data/contract/payloads/universe/readiness.ts';
import { instant } from '../../../data/contract/values/instant.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { FactorRow } from '../factors/factorRow.ts';
import type { BucketLength } from '../marketBucket.ts';
import { latestQuality } from './qualityWarnings.ts';

/** The rows of a product and length that are stored up to a slice: starts of the first and last, and how many are available. */
export type HeldRows = { readonly first: number; readonly last: number; readonly available: number };

/**
 * What the rows of one product and bucket length cover up to the end of a slice (I2.46, M8.7b): from the first to the last,
 * how many buckets between them are without an available row, and how old the newest is.
 *
 * @param at end of the slice's date, epoch milliseconds
 */
export function coverageWindow({
  product,
  bucketLength,
  held,
  latest,
  at,
  parameters,
}: {
  readonly product: string;
  readonly bucketLength: BucketLength;
  /** Null where no row is stored. */
  readonly held: HeldRows | null;
  /** The newest of them. */
  readonly latest: FactorRow | null;
  readonly at: number;
  readonly parameters: Parameters;
}): CoverageWindow {
  const { minutes, staleHours } = parameters.perps.buckets[bucketLength];
  const quality = latest === null ? null : latestQuality(latest, { at, parameters });
  const buckets = held === null ? 0 : (held.last - held.first) / (minutes * 60_000) + 1;
  return {
    product,
    bucket_length: bucketLength,
    first_bucket_utc: held === null ? null : instant(held.first),
    last_bucket_utc: held === null ? null : instant(held.last),
    available_count: held?.available ?? 0,
    missing_count: buckets - (held?.available ?? 0),
    row_age_minutes: quality?.rowAgeMinutes ?? null,
    stale_after_minutes: staleHours * 60,
    row_status: quality?.status ?? 'unavailable',
  };
}
