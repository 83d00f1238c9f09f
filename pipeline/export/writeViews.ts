import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { hashFile } from '../../data/store/files/hashFile.ts';
import { warehouseViews } from '../query/queryError.ts';
import { type TableFormat, writeTable } from '../query/writeTable.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { storeError } from '../warehouse/build/storeError.ts';
import type { ExportedView } from './exportManifest.ts';

/** An issuer's rows lie together, its dates in order. */
const sortColumns = [
  'cik',
  'source_date',
  'scan_date',
  'date',
  'end',
  'filed',
  'accession',
  'concept',
  'position',
];

/**
 * Writes every view of the warehouse, one file a view, into a directory that is there (STORE ST18). All are of the same
 * build: it is opened once.
 *
 * @param told called before each view
 * @throws IssuerError `input_missing`, `locked`, `interrupted`, `store_unwritable`
 */
export async function writeViews({
  databasePath,
  directory,
  format,
  signal,
  told,
}: {
  databasePath: string;
  directory: string;
  format: TableFormat;
  signal: AbortSignal;
  told: (view: string) => void;
}): Promise<ExportedView[]> {
  const pathOf = (view: string) => join(directory, `${view}.${format}`);
  const database = await openWarehouse(databasePath, { outputs: warehouseViews.map(pathOf) });
  const { connection } = database;
  const stop = () => connection.interrupt();
  signal.addEventListener('abort', stop);
  try {
    const exported: ExportedView[] = [];
    for (const view of await viewsOf(connection)) {
      if (signal.aborted) throw interrupted();
      told(view);
      exported.push(await writeView(connection, { view, format, path: pathOf(view) }));
    }
    return exported;
  } catch (error) {
    throw signal.aborted ? interrupted(error) : storeError(error, directory);
  } finally {
    signal.removeEventListener('abort', stop);
    database.close();
  }
}

/** The views that this build has: one of an older program may lack some. */
async function viewsOf(connection: DuckDBConnection): Promise<string[]> {
  const rows = await readRows(
    connection,
    "SELECT view_name AS name FROM duckdb_views() WHERE NOT internal AND schema_name = 'main'",
  );
  const held = new Set(rows.map(({ name }) => String(name)));
  return warehouseViews.filter((view) => held.has(view));
}

async function writeView(
  connection: DuckDBConnection,
  { view, format, path }: { view: string; format: TableFormat; path: string },
): Promise<ExportedView> {
  const columns = await columnsOf(connection, view);
  const sortedBy = sortColumns.filter((name) => columns.some((column) => column.name === name));
  // the other columns settle ties: the same warehouse gives the same bytes
  const rest = columns.map(({ name }) => name).filter((name) => !sortedBy.includes(name));
  const order = ` ORDER BY ${[...sortedBy, ...rest].map((name) => `"${name}"`).join(', ')}`;
  const comments = new Map(
    columns.flatMap(({ name, comment }) => (comment === null ? [] : [[name, comment]])),
  );
  const rows = await writeTable(connection, {
    format,
    sql: `SELECT * FROM "${view}"${order}`,
    path,
    comments,
  });
  await synced(path);
  const { size } = await stat(path);
  return {
    view,
    file: basename(path),
    rows,
    bytes: size,
    sha256: await hashFile(path),
    sorted_by: sortedBy,
    columns,
  };
}

async function columnsOf(connection: DuckDBConnection, view: string): Promise<ExportedView['columns']> {
  const rows = await readRows(
    connection,
    `SELECT column_name, data_type, comment FROM duckdb_columns()
     WHERE schema_name = 'main' AND table_name = '${view}' ORDER BY column_index`,
  );
  return rows.map((row) => ({
    name: String(row['column_name']),
    type: String(row['data_type']),
    comment: row['comment'] === null ? null : String(row['comment']),
  }));
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function interrupted(cause?: unknown): IssuerError {
  return new IssuerError({
    code: 'interrupted',
    message: 'The export was interrupted.',
    hint: 'Nothing was written to its target; run the same command again.',
    cause,
  });
}
