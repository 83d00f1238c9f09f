import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { chmod, copyFile, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { noteMeanings } from '../../../data/contract/meanings/noteMeanings.ts';
import { hashFile } from '../../../data/store/files/hashFile.ts';
import { moveInto } from '../../../data/store/files/replaceFile.ts';
import type { Log, StoreEffects } from '../../effects.ts';
import { programRoot } from '../../programRoot.ts';
import { columnsWithout, tableInputs, warehouseInputs } from '../inputs.ts';
import { type BuildRecord, readBuildRecords } from './buildRecord.ts';
import { insertRows } from './insertRows.ts';
import { type Database, openForReading, openForWriting, quoted } from './openDatabase.ts';
import { laterVersion, upgradedBuild } from './openWarehouse.ts';
import { inTransaction, readRows, readSql } from './readRows.ts';
import { digestRecords, recordTables, schemaOf } from './recordTables.ts';

/**
 * What a build stands on. `carried`: the rows of the current one. Otherwise its tables are empty and the records of
 * earlier nights are all it has: `first` without a current one, `renewed` where that is of another version of the
 * program, `changed` where it is not what the last night left.
 */
export type BuildStart = 'carried' | 'first' | 'renewed' | 'changed';

type Start = {
  readonly warehouseRoot: string;
  /** Where the build is made. */
  readonly path: string;
  readonly effects: StoreEffects;
};

/** Opens the file of a new build. What the current one is, is decided on a copy that no other program can reach. */
export async function startBuild(
  input: Start,
): Promise<{ readonly database: Database; readonly start: BuildStart }> {
  const { warehouseRoot, path, effects } = input;
  const current = join(warehouseRoot, 'current.duckdb');
  if (!existsSync(current)) return { database: await opened(path, effects), start: 'first' };
  const earlier = join(warehouseRoot, 'builds', 'earlier.duckdb.partial');
  try {
    await copyFile(current, earlier, constants.COPYFILE_FICLONE);
    await chmod(earlier, 0o600);
    return await startFrom(earlier, input);
  } finally {
    await effects.files.remove(earlier).catch(() => undefined);
  }
}

async function startFrom(
  earlier: string,
  { warehouseRoot, path, effects }: Start,
): Promise<{ readonly database: Database; readonly start: BuildStart }> {
  const warn = (message: string) => effects.log({ level: 'warn', step: 'warehouse', message });
  const records = await readBuildRecords(join(warehouseRoot, 'builds'));
  const found = await hashFile(earlier);
  const isLeft = records.some(({ sha256 }) => sha256 === found);
  if (isLeft) {
    await moveInto({ files: effects.files, from: earlier, to: path });
    try {
      return { database: await opened(path, effects), start: 'carried' };
    } catch (error) {
      warn(
        `The current build is not used: ${error instanceof Error ? error.message : String(error)}. Its facts are read again from the inputs.`,
      );
      await moveInto({ files: effects.files, from: path, to: earlier });
    }
  } else {
    warn(notLeft(found, records.length));
    await requireReadable(earlier, join(warehouseRoot, 'current.duckdb'));
  }
  const database = await opened(path, effects);
  const left = isLeft || records.length === 0 ? null : records.map((record) => record.records);
  await keepRecords(database.connection, { earlier, left, log: effects.log });
  return { database, start: left === null ? 'renewed' : 'changed' };
}

/** @throws IssuerError `configuration` where a newer DuckDB upgraded the build to what this one cannot read */
async function requireReadable(earlier: string, current: string): Promise<void> {
  const version = await laterVersion(earlier);
  if (version === null) return;
  try {
    (await openForReading(earlier)).close();
  } catch (cause) {
    throw upgradedBuild(current, { version, cause });
  }
}

function notLeft(found: string, records: number): string {
  return records === 0
    ? 'The current build is not used: the program that made it did not record its hash.'
    : `The current build is not used: another program changed it, its sha256 ${found.slice(0, 12)} is of no build ` +
        'that a night finished. Its facts are read again from the inputs.';
}

async function opened(path: string, { buildMemoryBytes }: StoreEffects): Promise<Database> {
  const database = await openForWriting(path, buildMemoryBytes);
  try {
    await prepareSchema(database.connection);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What a required column holds for records made before it was there. */
const beforeItsTime: Readonly<Record<string, string>> = {
  // the digest of no archive: the next scan finds nothing to compare with and says so
  'archive_scan.digest': "''",
};

/**
 * Takes the records of an earlier build, of any version, into the empty tables of a new one; its facts are
 * read again from the source.
 *
 * Columns both versions have are taken. A group the new tables cannot hold is lost as a whole, with a warning, and so
 * is one that is no longer what one of `left` says.
 */
async function keepRecords(
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
  const rows = await readRows<{ name: string }>(
    connection,
    `SELECT column_name AS name FROM duckdb_columns() WHERE database_name = ${name} AND table_name = '${table}'`,
  );
  return new Set(rows.map((row) => row.name));
}

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
    views: digest([...views, JSON.stringify(noteMeanings), JSON.stringify([tableInputs, columnsWithout])]),
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
  const columns = await readRows<{ view: string; name: string; comment: string }>(
    connection,
    `SELECT c.table_name AS view, c.column_name AS name, s.comment FROM duckdb_columns() c
    JOIN duckdb_columns() s ON s.schema_name = 'main' AND s.table_name IN ('stress', 'facility_history')
      AND s.column_name = c.column_name
    WHERE c.schema_name = 'main' AND c.comment IS NULL AND NOT c.internal AND s.comment IS NOT NULL`,
  );
  for (const { view, name, comment } of columns) {
    await connection.run(`COMMENT ON COLUMN "${view}"."${name}" IS ${quoted(comment)}`);
  }
}

async function replaceWords(connection: DuckDBConnection): Promise<void> {
  await connection.run('DELETE FROM note_meaning');
  await insertRows(connection, {
    table: 'note_meaning',
    rows: Object.entries(noteMeanings),
  });
  await connection.run('DELETE FROM table_input');
  await insertRows(connection, {
    table: 'table_input',
    rows: Object.entries(tableInputs).flatMap(([table, inputs]) =>
      inputs.map((input) => [table, input, (columnsWithout[table]?.[input] ?? []).join(' ')]),
    ),
  });
}

type SchemaVersion = { readonly tables: string | null; readonly views: string | null };

/** By which scripts a build was made; null when it is empty. */
async function heldVersion(connection: DuckDBConnection): Promise<SchemaVersion | null> {
  if ((await columnsOf(connection, 'current_database()', 'build_info')).size === 0) return null;
  const rows = await readRows<{ name: string; value: string }>(
    connection,
    'SELECT name, value FROM build_info',
  );
  const held = (name: string) => rows.find((row) => row.name === name)?.value ?? null;
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

// the formatter writes every import on lines of its own; a worker is started by the address of its module
const importedModule =
  /^(?:import|export) (?!type )[^;]*?from '(\.[^']+\.(?:ts|json))'|new URL\('(\.[^']+\.ts)'/gm;

/**
 * The modules that `entries` load at run time, themselves included: paths below `root`, ascending. Types, packages and
 * builtins are excluded.
 */
export async function importClosure({
  root,
  entries,
}: {
  readonly root: string;
  readonly entries: readonly string[];
}): Promise<string[]> {
  const seen = new Set<string>(entries);
  // a set goes on over what is added while it is walked
  for (const module of seen) {
    const text = await readFile(join(root, module), 'utf8');
    for (const [, imported, worker] of text.matchAll(importedModule)) {
      seen.add(posix.join(posix.dirname(module), imported ?? worker ?? ''));
    }
  }
  return [...seen].sort();
}
