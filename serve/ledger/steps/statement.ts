/** One SQL text for both databases; its parameters are `$1`, `$2`, …. */
export type Statement = {
  readonly sql: string;
  /** the text with the lock PostgreSQL takes; in SQLite the write transaction is the lock */
  readonly lockingSql: string;
  /** its integers may pass 2^53 */
  readonly bigints: boolean;
};

/** The ledger's clock as a parameter: the texts read it as `ledger_now($n)` (P8.17). */
export const ledgerClock = Symbol('the ledger clock');

/** What a parameter may be. */
export type Value = string | number | bigint | null | Uint8Array | typeof ledgerClock;

type Lock = 'FOR UPDATE' | 'FOR UPDATE SKIP LOCKED' | 'FOR UPDATE OF p SKIP LOCKED';

/** A statement of a text that is fixed when its module loads (S29). */
export function statement(
  sql: string,
  { lock, bigints = false }: { readonly lock?: Lock; readonly bigints?: boolean } = {},
): Statement {
  return { sql, lockingSql: lock === undefined ? sql : `${sql} ${lock}`, bigints };
}
