import type pg from 'pg';
import type { Steps } from '../steps/steps.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';
import { runSteps } from './runSteps.ts';

/**
 * Runs reads of one snapshot on a connection of its own, which no request waits for. `withinMs` limits each statement.
 */
export async function inSnapshot<T>(input: {
  database: PostgresDatabase;
  withinMs?: number;
  steps: (client: pg.Client) => Steps<T> | Promise<Steps<T>>;
}): Promise<T> {
  const client = await input.database.client();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    if (input.withinMs !== undefined) {
      await client.query("SELECT set_config('statement_timeout', $1, true)", [String(input.withinMs)]);
    }
    const steps = await input.steps(client);
    const query = async (sql: string, values: readonly unknown[] = []) =>
      (await client.query(sql, [...values])).rows;
    return await runSteps({ steps, query, nowMs: null });
  } finally {
    await client.end();
  }
}
