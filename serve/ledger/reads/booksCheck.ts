import { bookRules, checkReport, countRows, problemsOf } from '../books/bookRules.ts';
import type { BookProblem, CheckReport } from '../port/books.ts';
import { firstOf, rowsOf, type Steps } from '../steps/steps.ts';

/** Checks every rule of the books (I5.33) beside what the adapter found of its schema; run in one snapshot. */
export function* booksCheck(schemaProblems: readonly BookProblem[]): Steps<CheckReport> {
  const problems: BookProblem[] = [];
  for (const rule of bookRules) problems.push(...problemsOf(rule, yield* rowsOf(rule.breaches)));
  return checkReport((yield* firstOf(countRows)) ?? {}, [...problems, ...schemaProblems]);
}
