import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { warehouseInputs } from '../inputs.ts';
import { readerVersion } from './readerVersion.ts';
import { readRows } from './readRows.ts';
import { readSql } from './readSql.ts';

const tableScripts = [
  ...warehouseInputs.flatMap(({ script }) => script ?? []),
  'warehouse.sql',
  'changes.sql',
  'filingEvents.sql',
  'standing.sql',
];
// what rows are derived with, where the result is kept
const derivingScripts = ['periodicFilings.sql'];
const viewScripts = [
  ...warehouseInputs.flatMap(({ views }) => views ?? []),
  'views.sql',
  'asOfViews.sql',
  'changeViews.sql',
  'filingEventViews.sql',
  'standingViews.sql',
];

/**
 * Creates the tables of a new build, checks those of a copied one, and renews the views where other scripts made them.
 *
 * @throws Error when a copied build was made by other table scripts or readers; its stress rows are then worth
 * keeping.
 */
export async function prepareSchema(connection: DuckDBConnection): Promise<void> {
  await connection.run(await readSql('connection.sql'));
  const tables = await textsOf(tableScripts);
  const views = await textsOf(viewScripts);
  const version = {
    tables: digest([...tables, ...(await textsOf(derivingScripts)), await readerVersion()]),
    views: digest(views),
  };
  const held = await heldVersion(connection);
  if (held !== null && held.tables !== version.tables)
    throw new Error('its tables were made by another version of the program');
  if (held !== null && held.views === version.views) return;
  // one transaction: a comment is a statement, and each would wait for the disk
  await connection.run('BEGIN');
  for (const script of [...tables, ...views]) await connection.run(script);
  await connection.run("DELETE FROM build_info WHERE name IN ('tables', 'views')");
  await connection.run("INSERT INTO build_info VALUES ('tables', $tables), ('views', $views)", version);
  await connection.run('COMMIT');
}

type SchemaVersion = { readonly tables: string | null; readonly views: string | null };

/** By which scripts a build was made; null when it is empty. */
async function heldVersion(connection: DuckDBConnection): Promise<SchemaVersion | null> {
  const [found] = await readRows(
    connection,
    "SELECT count(*)::INTEGER AS n FROM duckdb_tables() WHERE table_name = 'build_info'",
  );
  if (found?.['n'] !== 1) return null;
  const rows = await readRows(connection, 'SELECT name, value FROM build_info');
  const held = (name: string) => {
    const value = rows.find((row) => row['name'] === name)?.['value'];
    return typeof value === 'string' ? value : null;
  };
  return { tables: held('tables'), views: held('views') };
}

function textsOf(names: readonly string[]): Promise<string[]> {
  return Promise.all(names.map(readSql));
}

function digest(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('hex');
}
