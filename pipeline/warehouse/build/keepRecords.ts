import type { DuckDBConnection } from '@duckdb/node-api';
import type { Log } from '../../effects.ts';
import type { BuildRecord } from './buildRecord.ts';
import { inTransaction } from './inTransaction.ts';
import { quoted } from './openDatabase.ts';
import { readRows } from './readRows.ts';
import { digestRecords, recordTables, schemaOf } from './recordTables.ts';

/** What a required column holds for records made before it was there. */
const beforeItsTime: Readonly<Record<string, string>> = {
  // the digest of no archive: the next scan finds nothing to compare with and says so
  'archive_scan.digest': "''",
};

/**
 * Takes the records of an earlier build, of whatever version, into the empty tables of a new one; its facts are
 * read again from the source.
 *
 * Columns both versions have are taken. A group the new tables cannot hold is lost as a whole, with a warning, and so
 * is one that is no longer what one of `left` says.
 */
export async function keepRecords(
  connection: DuckDBConnection,
  {
    earlier,
    left,
    log,
  }: {
    readonly earlier: string;
    /** What finished builds recorded of their groups; null takes every group as it is. */
    readonly left: readonly BuildRecord['records'][] | null;
    readonly log: Log;
  },
): Promise<void> {
  const lost = (what: string) => (error: unknown) =>
    log({ level: 'warn', step: 'warehouse', message: `Earlier ${what} are lost: ${String(error)}` });
  try {
    await connection.run(`ATTACH ${quoted(earlier)} AS earlier (READ_ONLY)`);
  } catch (error) {
    return lost('records')(error);
  }
  const found = left === null ? {} : await digestRecords(connection, 'earlier');
  for (const [what, tables] of Object.entries(recordTables)) {
    if (
      left !== null &&
      !left.some((records) => records[what] !== undefined && records[what] === found[what])
    ) {
      lost(what)('they are not what the last night left');
      continue;
    }
    await inTransaction(connection, async () => {
      for (const table of tables) await keepTable(connection, table);
    }).catch(lost(what));
  }
  await connection.run('DETACH earlier');
}

async function keepTable(connection: DuckDBConnection, table: string): Promise<void> {
  const [before, now] = [
    await columnsOf(connection, 'earlier', table),
    await columnsOf(connection, 'current_database()', table),
  ];
  if (before.size === 0) return;
  const schema = await schemaOf(connection, { database: 'earlier', table });
  const taken = [...now].flatMap((column) => {
    if (before.has(column)) return [`"${column}"`];
    const fill = beforeItsTime[`${table}.${column}`];
    return fill === undefined ? [] : [`${fill} AS "${column}"`];
  });
  await connection.run(
    `INSERT INTO ${table} BY NAME SELECT ${taken.join(', ')} FROM earlier.${schema}.${table}`,
  );
}

async function columnsOf(
  connection: DuckDBConnection,
  database: 'earlier' | 'current_database()',
  table: string,
): Promise<ReadonlySet<string>> {
  const name = database === 'earlier' ? quoted(database) : database;
  const rows = await readRows(
    connection,
    `SELECT column_name AS name FROM duckdb_columns() WHERE database_name = ${name} AND table_name = '${table}'`,
  );
  return new Set(rows.map((row) => String(row['name'])));
}
