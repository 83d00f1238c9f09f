import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import type { BucketLength, ContractSeries } from '../marketBucket.ts';

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
      throw refused(contract, { start, reason: `does not start at a multiple of ${bucketLength}` });
    if (start === before) throw refused(contract, { start, reason: 'is there twice' });
    if (start < before) throw refused(contract, { start, reason: 'is out of order' });
    before = start;
  }
}

function refused(
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
