import { type DayQueryName, dayQueries } from '../books/dayQueries.ts';
import type { DayInput, LedgerDay } from '../port/day.ts';
import type { RawRow } from '../rows/columns.ts';
import { dayOf } from '../rows/dayRows.ts';
import { rowsOf, type Steps } from '../steps/steps.ts';
import { figures } from './figures.ts';

/** A day of the books for the operator's report; run in one snapshot. */
export function* day(asked: DayInput): Steps<LedgerDay> {
  const rows = {} as Record<DayQueryName, readonly RawRow[]>;
  for (const name of Object.keys(dayQueries) as DayQueryName[]) {
    const { text, args } = dayQueries[name];
    rows[name] = yield* rowsOf(text, ...args(asked));
  }
  return dayOf(rows, yield* figures(asked.nowMs));
}
