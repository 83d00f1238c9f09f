import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../warehouse/build/readRows.ts';
import { asSubquery } from './oneStatement.ts';

/**
 * What the inputs behind a question did not cover, one sentence an input.
 *
 * Which tables a question reads is what the database plans to scan for it, without the optimizer, which leaves out
 * tables that happen to be empty. A question that cannot be planned this way (EXPLAIN), and a build of an older program,
 * has no notices.
 *
 * @param connection one of its own: the planning changes it
 */
export async function coverageNotices(connection: DuckDBConnection, sql: string): Promise<readonly string[]> {
  const tables = await scannedTables(connection, sql).catch((): readonly string[] => []);
  // who asks for the coverage sees it
  if (tables.length === 0 || tables.includes('input_state')) return [];
  const gaps = await readRows(
    connection,
    `SELECT input || ': ' || gap AS text FROM coverage WHERE gap IS NOT NULL AND input IN (
      SELECT input_id FROM internal.table_input WHERE list_contains(string_split($tables, ' '), table_name))
    ORDER BY input`,
    { tables: tables.join(' ') },
  ).catch(() => []);
  return gaps.map(({ text }) => `${String(text)} (see view coverage)`);
}

async function scannedTables(connection: DuckDBConnection, sql: string): Promise<readonly string[]> {
  await connection.run('PRAGMA disable_optimizer');
  const statements = await connection.extractStatements(`EXPLAIN (FORMAT JSON) ${asSubquery(sql)}`);
  const plans: string[] = [];
  // a PIVOT over unknown values is several statements, each of which needs the one before
  for (let i = 0; i < statements.count; i += 1) {
    const prepared = await statements.prepare(i);
    const result = await prepared.runAndReadAll();
    for (const row of result.getRows()) if (row[0] === 'physical_plan') plans.push(String(row[1]));
  }
  const names = plans.flatMap((plan) => tablesOf(JSON.parse(plan)));
  return [...new Set(names)];
}

/** Names of the tables under a plan, without catalog and schema. */
function tablesOf(plan: unknown): string[] {
  if (plan === null || typeof plan !== 'object') return [];
  return Object.entries(plan).flatMap(([member, value]) =>
    member === 'Table' && typeof value === 'string' ? [value.split('.').at(-1) ?? ''] : tablesOf(value),
  );
}
