import type { DuckDBConnection, DuckDBValue, JS } from '@duckdb/node-api';

/** Runs one statement and returns its rows as plain objects. */
export async function readRows(
  connection: DuckDBConnection,
  sql: string,
  values?: Record<string, DuckDBValue>,
): Promise<Record<string, JS>[]> {
  const result = await connection.run(sql, values);
  return result.getRowObjectsJS();
}
