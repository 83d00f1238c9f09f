import type { Transition } from '../port/payment.ts';
import { type Columns, type RawRow, type RowOf, rowReader } from '../rows/columns.ts';

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
type Value = string | number | bigint | null | Uint8Array | typeof ledgerClock;

type Lock = 'FOR UPDATE' | 'FOR UPDATE SKIP LOCKED' | 'FOR UPDATE OF p SKIP LOCKED';

/** A statement of a text that is fixed when its module loads (S29). */
export function statement(
  sql: string,
  { lock, bigints = false }: { readonly lock?: Lock; readonly bigints?: boolean } = {},
): Statement {
  return { sql, lockingSql: lock === undefined ? sql : `${sql} ${lock}`, bigints };
}

/** One thing a method asks of its database. */
export type Step =
  | { readonly kind: 'rows'; readonly statement: Statement; readonly values: readonly Value[] }
  | { readonly kind: 'clock' }
  | { readonly kind: 'turn'; readonly subject: string }
  | { readonly kind: 'notify'; readonly channel: 'receipt' | 'api_key'; readonly id: string }
  | { readonly kind: 'transition'; readonly transition: Transition };

/**
 * A method of the port as statements in their order, written once for both databases: the writer thread of SQLite runs
 * it at a stretch, PostgreSQL in a transaction with a round trip a step. What it returns is the method's answer.
 */
export type Steps<T> = Generator<Step, T, unknown>;

/** A step's statement met a row that has its unique value already; the method may handle it, but write nothing more. */
export class UniqueViolated extends Error {
  override readonly name = 'UniqueViolated';
}

/** The rows of a statement. */
export function* rowsOf(statement: Statement, ...values: Value[]): Steps<readonly RawRow[]> {
  return (yield { kind: 'rows', statement, values }) as readonly RawRow[];
}

/** The same, read by their columns. */
export function* rowsBy<C extends Columns>(
  columns: C,
  statement: Statement,
  ...values: Value[]
): Steps<readonly RowOf<C>[]> {
  return (yield* rowsOf(statement, ...values)).map(rowReader(columns));
}

/** The first of the rows, or null. */
export function* firstOf(statement: Statement, ...values: Value[]): Steps<RawRow | null> {
  const rows = yield* rowsOf(statement, ...values);
  return rows[0] ?? null;
}

/** How many rows a statement changed; its text ends with `RETURNING`. */
export function* changesOf(statement: Statement, ...values: Value[]): Steps<number> {
  const rows = yield* rowsOf(statement, ...values);
  return rows.length;
}

/** Epoch milliseconds of the ledger's clock (P8.17). */
export function* clockMs(): Steps<number> {
  return (yield { kind: 'clock' }) as number;
}

/** Waits until no other transaction works on the subject; SQLite has one writer at a time. */
export function* takeTurn(subject: string): Steps<void> {
  yield { kind: 'turn', subject };
}

/** Notifies the other servers with the commit (P8.18). */
export function* notify(channel: 'receipt' | 'api_key', id: string): Steps<void> {
  yield { kind: 'notify', channel, id };
}

/** Moves a receipt and its payment (P8.27); false when another writer was faster. */
export function* moveReceipt(transition: Transition): Steps<boolean> {
  return (yield { kind: 'transition', transition }) as boolean;
}

/** Lets a method handle the error of its step; one it does not handle is thrown as the database raised it. */
export function thrownInto<T>(steps: Steps<T>, error: unknown): IteratorResult<Step, T> {
  try {
    return steps.throw(error);
  } catch (unhandled) {
    throw unhandled instanceof UniqueViolated ? unhandled.cause : unhandled;
  }
}
