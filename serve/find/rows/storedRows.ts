import type { AnyRowStore, ColumnOf, MetaOf } from '../../../data/contract/payloads/stored.ts';
import type { RowStoreCell } from '../../../data/contract/release/releaseFiles.ts';
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

/** What a column of a store must say of a row. */
export type Condition<S extends AnyRowStore = AnyRowStore> = readonly [
  column: ColumnOf<S>,
  holds: (value: RowStoreCell) => boolean,
];

/** Numbers of the rows for which every condition holds, in stored order (I4.33). */
export function selectRows<S extends AnyRowStore = AnyRowStore>(
  rows: StoredRows,
  conditions: readonly Condition<S>[],
): number[] {
  const tested = conditions.map(([column, holds]) => ({ values: columnOf<S>(rows, column), holds }));
  const picked: number[] = [];
  for (let row = 0; row < rows.index.rows; row += 1) {
    if (tested.every(({ values, holds }) => holds(values[row] ?? null))) picked.push(row);
  }
  return picked;
}

/** A column of the index, one value a row. @throws IssuerError `artifact_unavailable` when the store has none. */
export function columnOf<S extends AnyRowStore = AnyRowStore>(
  rows: StoredRows,
  column: ColumnOf<S>,
): readonly RowStoreCell[] {
  const values = rows.index.columns[column];
  if (values === undefined) throw unavailable(rows.indexEntry.key, `it has no column ${column}`);
  return values;
}

/** What the index says of the whole store. @throws IssuerError `artifact_unavailable` when it says less. */
export function metaOf<S extends AnyRowStore>(store: S, rows: StoredRows): MetaOf<S> {
  const parsed = store.meta.safeParse(rows.index.meta);
  if (!parsed.success) throw unavailable(rows.indexEntry.key, 'it does not say what the answer needs');
  return parsed.data as MetaOf<S>;
}

/** Stored bytes of one row, without its line end. */
export function rowBytes(rows: StoredRows, row: number): Buffer {
  const start = rows.index.offsets[row] ?? 0;
  const end = rows.index.offsets[row + 1] ?? start;
  return rows.bytes.subarray(start, rows.bytes[end - 1] === 0x0a ? end - 1 : end);
}

/** Stored bytes of rows, in the order asked for. */
export function bytesOfRows(rows: StoredRows, picked: readonly number[]): Buffer[] {
  return picked.map((row) => rowBytes(rows, row));
}
