import type { PerpsParameters } from '../parameters/perpsParameters.ts';
import type { BucketLength } from './marketBucket.ts';

/** How much longer than its buckets a window may be: half of them may be missing. */
const mostStretch = 2;

/** How far before a row its window of z-scores may begin, in milliseconds (M8.5b): older buckets are not in it. */
export function windowReach(bucketLength: BucketLength, { perps }: Pick<PerpsParameters, 'perps'>): number {
  const { window, minutes } = perps.buckets[bucketLength];
  return mostStretch * window * minutes * 60_000;
}
