import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { defaultBuildMemory } from '../../effects.ts';

/** One open database file; `close` gives the file lock back and may be called twice. */
export type Database = {
  readonly connection: DuckDBConnection;
  /** One more connection to the same file; the caller closes it. */
  connect(): Promise<DuckDBConnection>;
  close(): void;
};

// nothing is ever downloaded: only the extensions built into the package are used
const closedWorld = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' };

/**
 * A build that is written is bounded: by default DuckDB keeps every block it wrote, up to most of the machine, 1.3 GB for
 * SEC's whole archive. The rows are written once in order, so the bound costs no CPU; what sorts more spills
 * into a folder beside the build. What it has freed goes back to the machine at once, not after the next 512 MB.
 */
const memoryOfBuild = {
  allocator_flush_threshold: '16MB',
  allocator_bulk_deallocation_flush_threshold: '32MB',
  allocator_background_threads: 'true',
};

/** The oldest DuckDB that reads a build: columns of long texts may be compressed with zstd from here on. */
const oldestReader = 'v1.2.0';

/**
 * Opens a build for writing.
 *
 * A process holds at most one instance per file: a second one on the same file succeeds and diverges silently.
 */
export async function openForWriting(path: string, memoryBytes = defaultBuildMemory): Promise<Database> {
  const database = await connected(
    await DuckDBInstance.create(path, {
      ...closedWorld,
      ...memoryOfBuild,
      memory_limit: `${memoryBytes}B`,
      storage_compatibility_version: oldestReader,
    }),
  );
  await database.connection.run('CREATE SCHEMA IF NOT EXISTS internal');
  await database.connection.run("SET search_path = 'internal,main'");
  return database;
}

/** Opens a finished build read-only, for code that may touch nothing else on this machine. */
export async function openForReading(path: string): Promise<Database> {
  return confined(await nameTables(await readOnly(path)), []);
}

/** The same for questions of people, to whom only the views have names; bounded like every work of people. */
export async function openForQuery(path: string): Promise<Database> {
  return confined(await readOnly(path, boundsOfQuestion), []);
}

async function readOnly(path: string, bounds: Record<string, string> = {}): Promise<Database> {
  return connected(
    await DuckDBInstance.create(path, { ...closedWorld, ...bounds, access_mode: 'READ_ONLY' }),
  );
}

/** Lets the tables behind the views go without the name of their schema; a build of an older program has none. */
async function nameTables(database: Database): Promise<Database> {
  const found = await database.connection.runAndReadAll(
    "SELECT count(*)::INTEGER FROM duckdb_schemas() WHERE schema_name = 'internal' AND database_name = current_database()",
  );
  if (found.getRows()[0]?.[0] !== 0) await database.connection.run("SET search_path = 'main,internal'");
  return database;
}

/**
 * What one question, or an export, may take of the machine it runs on: analysts ask beside a night and a server. What needs
 * more memory spills, and what spills more is refused.
 */
const boundsOfQuestion = { memory_limit: '1GB', threads: '4', max_temp_directory_size: '8GB' };

/** Opens an empty database in memory that has a finished build attached read-only and may write `outputs` only. */
export async function openForExport(path: string, outputs: readonly string[]): Promise<Database> {
  const database = await connected(
    await DuckDBInstance.create(':memory:', { ...closedWorld, ...boundsOfQuestion }),
  );
  try {
    await database.connection.run(`ATTACH ${quoted(path)} AS warehouse (READ_ONLY)`);
    await database.connection.run('USE warehouse');
  } catch (error) {
    database.close();
    throw error;
  }
  return confined(database, outputs);
}

/** A SQL string literal. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

async function confined(database: Database, paths: readonly string[]): Promise<Database> {
  try {
    // big sorts may spill, but never beside the builds
    await database.connection.run(
      `SET temp_directory = ${quoted(join(tmpdir(), `issuer-query-${randomUUID()}`))}`,
    );
    await database.connection.run(`SET allowed_paths = [${paths.map(quoted).join(', ')}]`);
    await database.connection.run('SET enable_external_access = false');
    await database.connection.run('SET lock_configuration = true');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function connected(instance: DuckDBInstance): Promise<Database> {
  let connection: DuckDBConnection;
  try {
    connection = await instance.connect();
  } catch (error) {
    instance.closeSync();
    throw error;
  }
  let open = true;
  return {
    connection,
    connect: () => instance.connect(),
    close() {
      if (!open) return;
      open = false;
      connection.closeSync();
      instance.closeSync();
    },
  };
}
