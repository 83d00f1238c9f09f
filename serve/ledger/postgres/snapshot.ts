import type pg from 'pg';
import type { Work } from '../work/work.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';
import { runWork } from './runWork.ts';

/**
 * Runs reads of one snapshot on a connection of its own, which no request waits for. `withinMs` limits each statement.
 */
export async function inSnapshot<T>(input: {
  database: PostgresDatabase;
  withinMs?: number;
  work: (client: pg.Client) => Work<T> | Promise<Work<T>>;
}): Promise<T> {
  const client = await input.database.client();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    if (input.withinMs !== undefined) {
      await client.query("SELECT set_config('statement_timeout', $1, true)", [String(input.withinMs)]);
    }
    const work = await input.work(client);
    const query = async (sql: string, values: readonly unknown[] = []) =>
      (await client.query(sql, [...values])).rows;
    return await runWork({ work, query, nowMs: null });
  } finally {
    await client.end();
  }
}
