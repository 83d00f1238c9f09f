import { constants } from 'node:fs';
import { copyFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Issuer } from '../../calculators/rows.ts';
import { IssuerError } from '../../contract/issuerError.ts';
import type { ScanOrder } from '../changes/recordScan.ts';
import type { StoreEffects } from '../effects.ts';
import type { SourceInputs } from '../source/directorySource.ts';
import { type BuildReport, ingestInputs } from './ingestInputs.ts';
import { keepRecords } from './keepRecords.ts';
import { type Database, openForWriting } from './openDatabase.ts';
import { prepareSchema } from './prepareSchema.ts';
import { storeError } from './storeError.ts';
import { syncFile } from './syncFile.ts';

/** A warehouse file under construction; nobody sees it until `finish`. */
export type Build = {
  readonly id: string;
  /** The file while it is being built. */
  readonly path: string;
  readonly connection: DuckDBConnection;
  ingest(o: {
    readonly inputs: SourceInputs;
    readonly universe: readonly Issuer[];
    readonly scan?: ScanOrder;
  }): Promise<BuildReport>;
  /** Makes the build durable and publishes it as `current.duckdb`. */
  finish(): Promise<void>;
  /** Gives the build up; nothing of it stays. Harmless after `finish`. */
  discard(): Promise<void>;
};

const KEPT_BUILDS = 2;

/**
 * Starts a build as a copy of the current one, or empty when there is none or its tables are of another version.
 *
 * Leftovers of crashed builds are removed first: the caller holds the lock of the night. @throws IssuerError
 * `store_unwritable` when the directory or disk does not take it.
 */
export async function openBuild(o: {
  readonly warehouseRoot: string;
  readonly buildId: string;
  readonly effects: StoreEffects;
}): Promise<Build> {
  if (!/^[\w.+-]{1,100}$/.test(o.buildId) || o.buildId.startsWith('.')) {
    throw new IssuerError({
      code: 'internal',
      message: `The build id ${JSON.stringify(o.buildId.slice(0, 120))} cannot be a file name.`,
      hint: 'Use letters, digits, dots, plus signs, underscores and hyphens.',
    });
  }
  const builds = join(o.warehouseRoot, 'builds');
  const finished = join(builds, `${o.buildId}.duckdb`);
  const path = `${finished}.partial`;
  const guard = <T>(act: () => Promise<T>): Promise<T> =>
    act().catch(async (error: unknown) => {
      throw storeError(error, o.warehouseRoot);
    });
  const database = await guard(async () => {
    await o.effects.files.makeDirectory(builds);
    await removeLeftovers(o.effects, o.warehouseRoot);
    return openStart({ ...o, path });
  }).catch(async (error: unknown) => {
    await removeBuild(o.effects, path);
    throw error;
  });
  const { connection } = database;
  const discard = async () => {
    database.close();
    await removeBuild(o.effects, path);
  };
  return {
    id: o.buildId,
    path,
    connection,
    ingest: (request) => guard(() => ingestInputs({ connection, effects: o.effects, ...request })),
    finish: () =>
      guard(async () => {
        await connection.run('CHECKPOINT');
        database.close();
        await syncFile(path);
        await o.effects.files.rename(path, finished);
        await o.effects.files.syncDirectory(builds);
        await publish({ ...o, finished });
        await prune(o.effects, { builds, keep: finished });
      }).catch(async (error: unknown) => {
        await discard();
        throw error;
      }),
    discard,
  };
}

async function openStart(o: {
  readonly warehouseRoot: string;
  readonly path: string;
  readonly effects: StoreEffects;
}): Promise<Database> {
  const current = join(o.warehouseRoot, 'current.duckdb');
  if (await exists(current)) {
    await copyFile(current, o.path, constants.COPYFILE_FICLONE);
    const copy = await opened(o.path).catch((error: unknown) => {
      o.effects.log({
        level: 'warn',
        step: 'warehouse',
        message: `The current build is not used: ${String(error)}`,
      });
      return null;
    });
    if (copy !== null) return copy;
    await removeBuild(o.effects, o.path);
    const empty = await opened(o.path);
    await keepRecords(empty.connection, { current, log: o.effects.log });
    return empty;
  }
  return opened(o.path);
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

/** A second name for the finished build, moved over the old one: readers hold the old file or get the new one. */
async function publish(o: {
  readonly warehouseRoot: string;
  readonly finished: string;
  readonly effects: StoreEffects;
}): Promise<void> {
  const { files } = o.effects;
  const next = join(o.warehouseRoot, 'current.duckdb.partial');
  try {
    await files.link(o.finished, next);
  } catch (error) {
    // file systems without hard links get a copy
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(code)) throw error;
    await copyFile(o.finished, next, constants.COPYFILE_FICLONE);
    await syncFile(next);
  }
  await files.rename(next, join(o.warehouseRoot, 'current.duckdb'));
  await files.syncDirectory(o.warehouseRoot);
}

async function prune(
  effects: StoreEffects,
  o: { readonly builds: string; readonly keep: string },
): Promise<void> {
  const names = (await readdir(o.builds)).filter((name) => name.endsWith('.duckdb'));
  const aged = await Promise.all(
    names.map(async (name) => {
      const path = join(o.builds, name);
      return { path, time: path === o.keep ? Number.POSITIVE_INFINITY : (await stat(path)).mtimeMs };
    }),
  );
  aged.sort((a, b) => b.time - a.time || (a.path < b.path ? 1 : -1));
  for (const { path } of aged.slice(KEPT_BUILDS)) await effects.files.remove(path);
}

async function removeLeftovers(effects: StoreEffects, warehouseRoot: string): Promise<void> {
  for (const folder of [warehouseRoot, join(warehouseRoot, 'builds')]) {
    for (const name of await readdir(folder)) {
      if (/\.duckdb\.partial(\.wal|\.tmp)?$/.test(name)) await effects.files.remove(join(folder, name));
    }
  }
}

async function removeBuild(effects: StoreEffects, path: string): Promise<void> {
  for (const name of [path, `${path}.wal`, `${path}.tmp`])
    await effects.files.remove(name).catch(() => undefined);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    (s) => s.isFile(),
    () => false,
  );
}
