import type { AnyRowStore, ColumnOf, ListCell } from '../../../data/contract/payloads/stored.ts';
import type { ListRows } from '../../../data/store/bytes/listRows.ts';
import { missError } from '../../problem/missError.ts';
import { unavailable } from '../../store/artifactFaults.ts';
import type { Release, StoredRows } from '../../store/artifactStore.ts';
import { askedDate, askNearestDate, nearestNights, releaseOf } from '../asked/selectRelease.ts';
import type { FindInput } from '../servable/findInput.ts';

/** The release of the date that is asked for, or the current one (I4.15). */
export function askedRelease(input: FindInput): Promise<Release> {
  const { snapshot, route } = input;
  return releaseOf({ snapshot, sourceDate: askedDate(input), route, ticker: null });
}

/**
 * A list of a release.
 *
 * @throws IssuerError `not_found` (`no_artifact_for_source_date`) where a past slice does not hold it (I4.36),
 * `artifact_unavailable` where the current one does not.
 */
export async function storedRows<S extends AnyRowStore>(
  input: FindInput,
  { release, store, key }: { readonly release: Release; readonly store: S; readonly key: string },
): Promise<StoredRows<S>> {
  const rows = await release.rows(store, key);
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

/** What a column of a list must say of a row. */
export type Condition<S extends AnyRowStore = AnyRowStore> = readonly [
  column: ColumnOf<S>,
  holds: (value: ListCell) => boolean,
];

/** Numbers of the rows for which every condition holds, in stored order (I4.33). */
export function selectRows<S extends AnyRowStore>(
  list: ListRows<S>,
  conditions: readonly Condition<S>[],
): number[] {
  const tested = conditions.map(([column, holds]) => ({ values: list.column(column), holds }));
  const rows = Array.from({ length: list.count }, (_, row) => row);
  return rows.filter((row) => tested.every(({ values, holds }) => holds(values[row] ?? null)));
}
