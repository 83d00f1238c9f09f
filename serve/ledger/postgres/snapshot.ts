import type pg from 'pg';
import type { Steps } from '../steps/steps.ts';
import { onlyReading, type PostgresDatabase } from './postgresDatabase.ts';
import { runSteps } from './runSteps.ts';

/** Statements on a connection of its own that only reads. */
export function readingOn(client: pg.Client): PostgresDatabase['rows'] {
  return onlyReading(async (sql, values = []) => (await client.query(sql, [...values])).rows);
}

/**
 * Runs reads of one snapshot on a connection of its own, which no request waits for. `withinMs` limits each statement.
 */
export async function inSnapshot<T>(input: {
  database: PostgresDatabase;
  withinMs?: number;
  steps: (query: PostgresDatabase['rows']) => Steps<T> | Promise<Steps<T>>;
}): Promise<T> {
  const client = await input.database.client();
  const query = readingOn(client);
  try {
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    if (input.withinMs !== undefined) {
      await query("SELECT set_config('statement_timeout', $1, true)", [String(input.withinMs)]);
    }
    const steps = await input.steps(query);
    return await runSteps({ steps, query, nowMs: null });
  } finally {
    await client.end();
  }
}
