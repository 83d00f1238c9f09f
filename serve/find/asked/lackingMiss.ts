import { missError } from '../../problem/missError.ts';
import type { Release } from '../../store/artifactStore.ts';
import type { FindInput } from '../servable/findInput.ts';
import { nearestNights } from './selectRelease.ts';

/**
 * The miss of a slice whose night had nothing of a kind, or that was built later without it.
 *
 * @param what names the kind, such as `market data`
 * @param holds whether another slice has it
 */
export async function lackingMiss(
  input: FindInput,
  {
    release,
    what,
    holds,
    product,
  }: { release: Release; what: string; holds: (release: Release) => boolean; product?: string },
): Promise<Error> {
  return missError(input.route, {
    reasonCode: 'no_artifact_for_source_date',
    message: `The slice of ${release.sourceDate} holds no ${what}.`,
    hint: 'Ask for one of nearest_source_dates.',
    nearestSourceDates: await nearestNights(input.snapshot, release.sourceDate, holds),
    ...(product === undefined ? {} : { product }),
  });
}
