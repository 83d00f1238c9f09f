import { missError } from '../../problem/missError.ts';
import type { Release, StoredRows } from '../../store/artifactStore.ts';
import { unavailable } from '../../store/unavailable.ts';
import { askedDate, askNearestDate } from '../asked/askedDate.ts';
import { nearestNights, releaseOf } from '../asked/selectRelease.ts';
import type { FindInput } from '../servable/findInput.ts';

/** The release of the date that is asked for, or the current one (I4.15). */
export function askedRelease(input: FindInput): Promise<Release> {
  const { snapshot, route } = input;
  return releaseOf({ snapshot, sourceDate: askedDate(input), route, ticker: null });
}

/**
 * A row store of a release.
 *
 * @throws IssuerError `not_found` (`no_artifact_for_source_date`) where a past slice does not hold it (I4.36),
 * `artifact_unavailable` where the current one does not.
 */
export async function storedRows(input: FindInput, release: Release, key: string): Promise<StoredRows> {
  const rows = await release.rows(key);
  if (rows === null) throw await notHeld(input, release, key);
  return rows;
}

/** The error of a slice that does not hold what its route answers with. */
export async function notHeld(input: FindInput, release: Release, key: string): Promise<Error> {
  if (release.name === input.snapshot.currentName) return unavailable(key, 'the release does not list it');
  return missError(input.route, {
    reasonCode: 'no_artifact_for_source_date',
    message: `The slice of ${release.sourceDate} does not hold this answer.`,
    hint: askNearestDate(input.route),
    nearestSourceDates: await nearestNights(input.snapshot, release.sourceDate),
  });
}
