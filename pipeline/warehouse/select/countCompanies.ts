import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../build/readRows.ts';

/** Companies of the companyfacts archive whose facts an open warehouse holds. */
export async function countCompanies(connection: DuckDBConnection): Promise<number> {
  const [row] = await readRows(connection, 'SELECT count(*) AS companies FROM archive_entry');
  return Number(row?.['companies']);
}
