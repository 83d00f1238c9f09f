import { type DayQueryName, dayQueries } from '../dayQueries.ts';
import { dayOf } from '../dayRows.ts';
import type { DayInput, LedgerDay } from '../port/day.ts';
import type { RawRow } from '../rows.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';
import { figuresIn } from './postgresFigures.ts';

/** Reads a day of the books in one snapshot on a connection of its own, which no request waits for. */
export async function postgresDay(o: DayInput & { readonly database: PostgresDatabase }): Promise<LedgerDay> {
  const client = await o.database.client();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const rows = {} as Record<DayQueryName, readonly RawRow[]>;
    for (const name of Object.keys(dayQueries) as DayQueryName[]) {
      const query = dayQueries[name];
      rows[name] = (await client.query(query.sql, [...query.args(o)])).rows;
    }
    return dayOf(rows, await figuresIn(client, o.nowMs));
  } finally {
    await client.end();
  }
}
