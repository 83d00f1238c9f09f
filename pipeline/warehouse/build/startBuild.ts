import { constants, existsSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { hashFile } from '../../../data/store/files/hashFile.ts';
import { moveInto } from '../../../data/store/files/replaceFile.ts';
import type { Log, StoreEffects } from '../../effects.ts';
import { type BuildRecord, readBuildRecords } from './buildRecord.ts';
import { inTransaction } from './inTransaction.ts';
import { type Database, openForReading, openForWriting, quoted } from './openDatabase.ts';
import { prepareSchema } from './prepareSchema.ts';
import { readRows } from './readRows.ts';
import { digestRecords, recordTables, schemaOf } from './recordTables.ts';
import { laterVersion, upgradedBuild } from './storageVersion.ts';

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
  if (!existsSync(current)) return { database: await opened(path), start: 'first' };
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
      return { database: await opened(path), start: 'carried' };
    } catch (error) {
      warn(`The current build is not used: ${String(error)}`);
      await moveInto({ files: effects.files, from: path, to: earlier });
    }
  } else {
    warn(notLeft(found, records.length));
    await requireReadable(earlier, join(warehouseRoot, 'current.duckdb'));
  }
  const database = await opened(path);
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

async function opened(path: string): Promise<Database> {
  const database = await openForWriting(path);
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
  const rows = await readRows(
    connection,
    `SELECT column_name AS name FROM duckdb_columns() WHERE database_name = ${name} AND table_name = '${table}'`,
  );
  return new Set(rows.map((row) => String(row['name'])));
}
