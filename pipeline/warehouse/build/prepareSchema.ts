import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { noteMeanings } from '../../../data/contract/meanings/noteMeanings.ts';
import { programRoot } from '../../programRoot.ts';
import { tableInputs, warehouseInputs } from '../inputs.ts';
import { importClosure } from './importClosure.ts';
import { insertRows } from './insertRows.ts';
import { quoted } from './openDatabase.ts';
import { readRows } from './readRows.ts';
import { readSql } from './readSql.ts';

const tableScripts = [
  ...warehouseInputs.flatMap(({ script }) => script ?? []),
  'warehouse.sql',
  'changes.sql',
  'filingEvents.sql',
  'standing.sql',
  'holdings.sql',
  'capital.sql',
  'record.sql',
  'marketRows.sql',
];
// what rows are derived with, where the result is kept
const derivingScripts = ['periodicFilings.sql', 'preferredStock.sql', 'syncBuckets.sql'];
const viewScripts = [
  ...warehouseInputs.flatMap(({ views }) => views ?? []),
  'views.sql',
  'reportViews.sql',
  'analystViews.sql',
  'capitalViews.sql',
  'asOfViews.sql',
  'changeViews.sql',
  'filingEventViews.sql',
  'standingViews.sql',
  'marketViews.sql',
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
    views: digest([...views, JSON.stringify(noteMeanings), JSON.stringify(tableInputs)]),
  };
  const held = await heldVersion(connection);
  if (held !== null && held.tables !== version.tables)
    throw new Error('its tables were made by another version of the program');
  if (held !== null && held.views === version.views) return;
  // one transaction: a comment is a statement, and each would wait for the disk
  await connection.run('BEGIN');
  for (const script of tables) await connection.run(script);
  // views stand where every reader finds them, what is behind them does not
  await connection.run("SET search_path = 'main'");
  for (const script of views) await connection.run(script);
  await shareComments(connection);
  await connection.run("SET search_path = 'internal,main'");
  await replaceWords(connection);
  await connection.run("DELETE FROM build_info WHERE name IN ('tables', 'views')");
  await connection.run("INSERT INTO build_info VALUES ('tables', $tables), ('views', $views)", version);
  await connection.run('COMMIT');
}

/** A column that has the name of one of `stress` or `facility_history` and no comment of its own means the same. */
async function shareComments(connection: DuckDBConnection): Promise<void> {
  const columns = await readRows(
    connection,
    `SELECT c.table_name AS view, c.column_name AS name, s.comment FROM duckdb_columns() c
    JOIN duckdb_columns() s ON s.schema_name = 'main' AND s.table_name IN ('stress', 'facility_history')
      AND s.column_name = c.column_name
    WHERE c.schema_name = 'main' AND c.comment IS NULL AND NOT c.internal AND s.comment IS NOT NULL`,
  );
  for (const { view, name, comment } of columns) {
    await connection.run(`COMMENT ON COLUMN "${view}"."${name}" IS ${quoted(String(comment))}`);
  }
}

async function replaceWords(connection: DuckDBConnection): Promise<void> {
  await connection.run('DELETE FROM note_meaning');
  await insertRows(connection, {
    table: 'note_meaning',
    columns: { note: 'VARCHAR', meaning: 'VARCHAR' },
    rows: Object.entries(noteMeanings),
  });
  await connection.run('DELETE FROM table_input');
  await insertRows(connection, {
    table: 'table_input',
    columns: { table_name: 'VARCHAR', input_id: 'VARCHAR' },
    rows: Object.entries(tableInputs).flatMap(([table, inputs]) => inputs.map((input) => [table, input])),
  });
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

/** The modules an input's bytes pass on their way to rows start here: the list of inputs and the archive reader. */
const readers = ['pipeline/warehouse/inputs.ts', 'pipeline/ingest/ingestCompanyFacts.ts'];
/** What is said of a fault changes no row. */
const silent = /^data\/contract\/errors\//;

/**
 * SHA-256 over the sources that turn input files into rows. Rows of unchanged inputs are kept from night to night,
 * so a build made by other readers is not carried on: a corrected parser reaches every file.
 */
export async function readerVersion(root: string = programRoot): Promise<string> {
  const hash = createHash('sha256');
  for (const name of await importClosure({ root, entries: readers })) {
    if (!silent.test(name)) hash.update(`${name}\n`).update(await readFile(`${root}/${name}`));
  }
  return hash.digest('hex');
}
