import type { Statement } from '../steps/statement.ts';

/** A rule of the books and the query for its breaches, `subject` and `detail`. */
export type BookRule = { readonly rule: string; readonly breaches: Statement };
