import { type DayQueryName, dayQueries } from '../dayQueries.ts';
import { dayOf } from '../dayRows.ts';
import type { DayInput, LedgerDay } from '../port/day.ts';
import type { RawRow } from '../rows.ts';
import { openDatabase } from './openDatabase.ts';
import { figuresIn } from './sqliteFigures.ts';

/** Reads a day of the books in one snapshot on a connection of its own. */
export function sqliteDay(o: DayInput & { readonly path: string }): LedgerDay {
  const database = openDatabase({ path: o.path, mode: 'read' });
  try {
    database.exec('BEGIN');
    const rows = {} as Record<DayQueryName, readonly RawRow[]>;
    for (const name of Object.keys(dayQueries) as DayQueryName[]) {
      const query = dayQueries[name];
      const named = query.args(o).map((value, index) => [`$${index + 1}`, value] as const);
      rows[name] = database.prepare(query.sql).all(Object.fromEntries(named));
    }
    return dayOf(rows, figuresIn(database, o.nowMs));
  } finally {
    database.close();
  }
}
