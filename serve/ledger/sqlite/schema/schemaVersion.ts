/** Version that `ledger_meta` of a new file states; 2: `payments` and `receipts` are rowid tables. */
export const schemaVersion = '2';

/** An older version that `ledger upgrade` rebuilds. */
export type OlderVersion = '1';

/** A version this program knows. */
export type SchemaVersion = OlderVersion | typeof schemaVersion;

/** Tables that version 1 kept under their keys, `WITHOUT ROWID`. */
export const keyedInVersionOne: ReadonlySet<string> = new Set(['payments', 'receipts']);
