import { existsSync } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { count, datetime, sha256 } from '../../data/contract/values/primitives.ts';
import { hashFile } from '../../data/store/files/hashFile.ts';
import { moveInto, nameBeside } from '../../data/store/files/replaceFile.ts';
import type { Store } from '../../data/store/storePort.ts';
import type { DataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { namedDirectory } from '../namedFile.ts';
import { programVersion } from '../programRoot.ts';
import { warehouseViews } from '../query/queryError.ts';
import { calculableColumns, type TableFormat, tableFormats, writeTable } from '../query/writeTable.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { readRows, storeError } from '../warehouse/build/readRows.ts';

/** Where an export goes: a directory, or a prefix of a bucket. */
export type ExportTarget =
  | { readonly kind: 'directory'; readonly directory: string }
  | { readonly kind: 'store'; readonly store: Store };

/**
 * Writes the warehouse, one file a view, with a manifest of their rows and hashes (STORE ST18).
 *
 * Into a directory it is written beside it and gets its name when it is whole; an export that lies there is replaced,
 * anything else is not touched. Into a bucket each file is put once, the manifest last.
 *
 * @throws IssuerError `usage` when something else lies there, and what `writeViews` throws
 */
export async function exportWarehouse({
  layout,
  target: named,
  format,
  effects,
  signal,
}: {
  layout: DataLayout;
  target: ExportTarget;
  format: TableFormat;
  effects: StoreEffects;
  signal: AbortSignal;
}): Promise<ExportManifest> {
  const { files, clock, log } = effects;
  await refuseForeign(named);
  const target =
    named.kind === 'store'
      ? named
      : { ...named, directory: await namedDirectory(named.directory, layout.root) };
  const staged = nameBeside(
    target.kind === 'directory' ? target.directory : join(layout.warehouse, 'export'),
    'partial',
  );
  await files.makeDirectory(staged);
  try {
    const onView = (view: string) => log({ level: 'info', step: 'export', message: `view ${view}` });
    const before = await hashOf(layout);
    const views = await writeViews({
      databasePath: layout.database,
      directory: staged,
      format,
      signal,
      onView,
    });
    const manifest: ExportManifest = {
      schema_id: 'warehouse_export.v1',
      exported_at: instant(clock.now().getTime()),
      warehouse_sha256: (await hashOf(layout)) === before ? before : null,
      program_version: await programVersion(),
      format,
      views,
    };
    const text = canonicalJson(exportManifest.parse(manifest));
    await files.write(join(staged, exportManifestName), text, { sync: true });
    await files.syncDirectory(staged);
    if (target.kind === 'directory') await swap({ staged, directory: target.directory, files });
    else await putAll(target.store, { staged, manifest, text, signal });
    return manifest;
  } finally {
    await files.remove(staged);
  }
}

/** null without a warehouse, which who opens it says. */
function hashOf({ database }: DataLayout): Promise<string | null> {
  return hashFile(database).catch(() => null);
}

async function refuseForeign(target: ExportTarget): Promise<void> {
  if (target.kind === 'store') {
    const there = await target.store.list('');
    if (there.length > 0)
      throw foreign(target.store.address, 'Name a prefix of its own, such as one with the date.');
    return;
  }
  const { directory } = target;
  if (!existsSync(directory)) return;
  const names = await readdir(directory).catch(() => ['a file']);
  if (names.length === 0 || (await isExport(directory, names))) return;
  throw foreign(directory, 'Name a directory that is empty, not there yet, or holds an export alone.');
}

/** Nothing lies there but what an export of this program wrote. */
async function isExport(directory: string, names: readonly string[]): Promise<boolean> {
  try {
    const text = await readFile(join(directory, exportManifestName), 'utf8');
    const { views } = exportManifest.parse(JSON.parse(text));
    const own = new Set([exportManifestName, ...views.map(({ file }) => file)]);
    return names.every((name) => own.has(name));
  } catch {
    return false;
  }
}

async function swap({
  staged,
  directory,
  files,
}: {
  staged: string;
  directory: string;
  files: StoreEffects['files'];
}): Promise<void> {
  const before = nameBeside(directory, 'before');
  await files.makeDirectory(dirname(directory));
  // readers that have files of it open read on
  if (existsSync(directory)) await files.rename(directory, before);
  await moveInto({ files, from: staged, to: directory });
  await files.remove(before);
}

async function putAll(
  store: Store,
  {
    staged,
    manifest,
    text,
    signal,
  }: { staged: string; manifest: ExportManifest; text: string; signal: AbortSignal },
): Promise<void> {
  for (const { file } of manifest.views) {
    signal.throwIfAborted();
    if ((await store.put(file, { path: join(staged, file) })) === 'exists')
      throw foreign(store.address, 'Another export goes there now; name a prefix of its own.');
  }
  await store.put(exportManifestName, Buffer.from(text));
}

function foreign(where: string, hint: string): IssuerError {
  return new IssuerError({ code: 'usage', message: `${where} holds something else than an export.`, hint });
}

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
 * @param onView called before each view
 * @throws IssuerError `input_missing`, `locked`, `interrupted`, `store_unwritable`
 */
async function writeViews({
  databasePath,
  directory,
  format,
  signal,
  onView,
}: {
  databasePath: string;
  directory: string;
  format: TableFormat;
  signal: AbortSignal;
  onView: (view: string) => void;
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
      onView(view);
      exported.push(await writeView(connection, { view, format, path: pathOf(view) }));
    }
    return exported;
  } catch (error) {
    throw signal.aborted ? interrupted(error) : storeError(error, directory, 'output');
  } finally {
    signal.removeEventListener('abort', stop);
    database.close();
  }
}

/** The views that this build has: one of an older program may lack some. */
async function viewsOf(connection: DuckDBConnection): Promise<string[]> {
  const rows = await readRows<{ name: string }>(
    connection,
    "SELECT view_name AS name FROM duckdb_views() WHERE NOT internal AND schema_name = 'main'",
  );
  const held = new Set<string>(rows.map(({ name }) => name));
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
  const comment = await commentOf(connection, view);
  const key = /Key: (.*)$/.exec(comment)?.[1]?.split(', ') ?? [];
  const rows = await writeTable(connection, {
    format,
    sql: `SELECT * FROM "${view}"${order}`,
    path,
    about: { view, comment, key },
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
    key,
    sorted_by: sortedBy,
    columns: format === 'csv' ? columns : calculableColumns(columns).map(({ from: _, ...column }) => column),
  };
}

async function commentOf(connection: DuckDBConnection, view: string): Promise<string> {
  const [row] = await readRows<{ comment: string | null }>(
    connection,
    "SELECT comment FROM duckdb_views() WHERE schema_name = 'main' AND view_name = $view",
    { view },
  );
  return row?.comment ?? '';
}

function columnsOf(connection: DuckDBConnection, view: string): Promise<ExportedView['columns']> {
  return readRows(
    connection,
    `SELECT column_name AS name, data_type AS type, comment FROM duckdb_columns()
     WHERE schema_name = 'main' AND table_name = '${view}' ORDER BY column_index`,
  );
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

/** `manifest.json` of an export: what lies beside it, written last (STORE ST18). */
export const exportManifest = z.strictObject({
  schema_id: z.literal('warehouse_export.v1'),
  exported_at: datetime,
  /** SHA-256 of the warehouse that was read; null where a night replaced it meanwhile. */
  warehouse_sha256: sha256.nullable(),
  program_version: z.string(),
  format: z.enum(tableFormats).default('parquet'),
  views: z.array(
    z.strictObject({
      view: z.string(),
      file: z.string(),
      rows: count,
      bytes: count,
      sha256,
      /** Columns that make a row: no two rows have equal ones. */
      key: z.array(z.string()).default([]),
      /** Columns the rows are sorted by, first to last; none where the view has none of them. */
      sorted_by: z.array(z.string()),
      /** Of the file, with types in DuckDB's words, and what each holds. */
      columns: z.array(
        z.strictObject({ name: z.string(), type: z.string(), comment: z.string().nullable().default(null) }),
      ),
    }),
  ),
});

export type ExportManifest = z.infer<typeof exportManifest>;
type ExportedView = ExportManifest['views'][number];

const exportManifestName = 'manifest.json';
