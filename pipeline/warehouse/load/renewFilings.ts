import type { DuckDBConnection } from '@duckdb/node-api';
import { insertRows } from '../build/insertRows.ts';
import { readRows } from '../build/readRows.ts';
import { readSql } from '../build/readSql.ts';

/**
 * Registrants at once. What lists dates of filings is held in memory until it is written: all 18,000 registrants of SEC's
 * archive together need more than a build may hold.
 */
const registrantsAtOnce = 1_000;

/**
 * Renews `periodic_filing` for the registrants of the temporary table `renewed` and those given, which are none of it
 * afterwards.
 */
export async function renewFilings(connection: DuckDBConnection, more: Iterable<string>): Promise<void> {
  const noted = await readRows(connection, 'SELECT DISTINCT cik FROM renewed');
  const ciks = [...new Set([...noted.map((row) => String(row['cik'])), ...more])].sort();
  const sql = await readSql('periodicFilings.sql');
  for (let at = 0; at < ciks.length; at += registrantsAtOnce) {
    const rows = ciks.slice(at, at + registrantsAtOnce).map((cik) => [cik]);
    await connection.run('DELETE FROM renewed');
    await insertRows(connection, { table: 'renewed', columns: { cik: 'VARCHAR' }, rows });
    await connection.run(sql);
  }
  await connection.run('DELETE FROM renewed');
}
