import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from './readRows.ts';

/** What earlier nights computed and what their scans changed exists nowhere else; a group means something together. */
export const recordTables: Readonly<Record<string, readonly string[]>> = {
  'computed rows': ['stress_row', 'alpha_row', 'cross_section_row'],
  'filed figures and coins': ['fundamental_row', 'coin_row'],
  'loans secured by coins': ['facility_row'],
  'capital structures': [
    'capital_row',
    'instrument_row',
    'maturity_row',
    'preferred_row',
    'share_row',
    'claim_row',
    'nav_row',
    'runway_row',
    'coin_flow_row',
  ],
  scans: ['archive_scan', 'scan_file', 'scan_change'],
  'daily changes': ['daily_change_row', 'daily_change_night'],
  'market rows': ['market_factor'],
};

/**
 * Texts whose SHA-256 stands beside them: a digest holds that, since the texts are most of what a night would read for it.
 * Whoever takes such rows over from a build of unknown making has them proved.
 */
const provedTexts: Readonly<Record<string, { readonly text: string; readonly sha256: string }>> = {
  market_factor: { text: 'payload', sha256: 'payload_sha256' },
};

/** A digest of each group of records of the database, or of an attached one, in any order of rows; a group without its tables has none. */
export async function digestRecords(
  connection: DuckDBConnection,
  database: string | null = null,
): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const [group, tables] of Object.entries(recordTables)) {
    const digest = await digestTables(connection, { database, tables });
    if (digest !== null) digests[group] = digest;
  }
  return digests;
}

async function digestTables(
  connection: DuckDBConnection,
  { database, tables }: { readonly database: string | null; readonly tables: readonly string[] },
): Promise<string | null> {
  // hashes of rows are comparable within one version of the database
  const digests = [await textOf(connection, 'SELECT version()')];
  for (const table of tables) {
    const place = database === null ? '' : `${database}.${await schemaOf(connection, { database, table })}.`;
    const proved = provedTexts[table];
    const columns = proved === undefined ? '*' : `* EXCLUDE ("${proved.text}")`;
    const sum = `coalesce(sum(hash(*COLUMNS(${columns}))::HUGEINT), 0)`;
    const sql = `SELECT concat_ws(' ', '${table}', count(*), ${sum}) FROM ${place}${table}`;
    digests.push(await textOf(connection, sql).catch(() => null));
    if (database === null || proved === undefined) continue;
    const { text, sha256 } = proved;
    const isProved = `SELECT CASE WHEN count(*) = 0 THEN 'proved' END FROM ${place}${table} WHERE sha256(${text}) <> ${sha256}`;
    digests.push(await textOf(connection, isProved).catch(() => null));
  }
  return digests.includes(null) ? null : digests.filter((digest) => digest !== 'proved').join(', ');
}

async function textOf(connection: DuckDBConnection, sql: string): Promise<string | null> {
  const [row = {}] = await readRows(connection, sql);
  const [value] = Object.values(row);
  return typeof value === 'string' ? value : null;
}

/** Where an attached database holds a table; builds of older programs hold theirs among the views. */
export async function schemaOf(
  connection: DuckDBConnection,
  { database, table }: { readonly database: string; readonly table: string },
): Promise<'internal' | 'main'> {
  const schema = await textOf(
    connection,
    `SELECT min(schema_name) FROM duckdb_tables() WHERE database_name = '${database}' AND table_name = '${table}'`,
  );
  return schema === 'internal' ? 'internal' : 'main';
}
