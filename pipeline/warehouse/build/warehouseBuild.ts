import { constants } from 'node:fs';
import { copyFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Issuer } from '../../../calculators/filing/rows.ts';
import { IssuerError } from '../../../contract/errors/issuerError.ts';
import { moveInto } from '../../../contract/files/replaceFile.ts';
import { compareText } from '../../../contract/values/compareText.ts';
import type { ScanOrder } from '../../changes/recordScan.ts';
import type { StoreEffects } from '../../effects.ts';
import type { SourceInputs } from '../../source/directorySource.ts';
import { type BuildReport, ingestInputs } from '../load/ingestInputs.ts';
import { keepRecords } from './keepRecords.ts';
import { type Database, openForWriting } from './openDatabase.ts';
import { prepareSchema } from './prepareSchema.ts';
import { storeError } from './storeError.ts';
import { syncFile } from './syncFile.ts';

/** A warehouse file under construction; invisible until `finish`. */
export type Build = {
  readonly id: string;
  /** The file while it is being built. */
  readonly path: string;
  readonly connection: DuckDBConnection;
  ingest(o: {
    readonly inputs: SourceInputs;
    /** Names of inputs that are missing and whose rows stay. */
    readonly kept?: readonly string[];
    /** Share of the companies held that an archive may lack and still replace them. */
    readonly lostShare?: number;
    readonly universe: readonly Issuer[];
    readonly scan?: ScanOrder;
  }): Promise<BuildReport>;
  /** Makes the build durable and publishes it as `current.duckdb`. */
  finish(): Promise<void>;
  /** Gives the build up; nothing of it stays. Harmless after `finish`. */
  discard(): Promise<void>;
};

const keptBuilds = 2;

/**
 * Starts a build as a copy of the current one, or empty when there is none or its tables are of another version.
 *
 * Leftovers of crashed builds are removed first: the caller holds the lock of the night. @throws IssuerError
 * `store_unwritable` when the directory or disk does not take it.
 */
export async function openBuild(input: {
  readonly warehouseRoot: string;
  readonly buildId: string;
  readonly effects: StoreEffects;
}): Promise<Build> {
  if (!/^[\w.+-]{1,100}$/.test(input.buildId) || input.buildId.startsWith('.')) {
    throw new IssuerError({
      code: 'internal',
      message: `The build id ${JSON.stringify(input.buildId.slice(0, 120))} cannot be a file name.`,
      hint: 'Use letters, digits, dots, plus signs, underscores and hyphens.',
    });
  }
  const builds = join(input.warehouseRoot, 'builds');
  const finished = join(builds, `${input.buildId}.duckdb`);
  const path = `${finished}.partial`;
  const guard = <T>(act: () => Promise<T>): Promise<T> =>
    act().catch(async (error: unknown) => {
      throw storeError(error, input.warehouseRoot);
    });
  const database = await guard(async () => {
    await input.effects.files.makeDirectory(builds);
    await removeLeftovers(input.effects, input.warehouseRoot);
    return openStart({ ...input, path });
  }).catch(async (error: unknown) => {
    await removeBuild(input.effects, path);
    throw error;
  });
  const { connection } = database;
  const discard = async () => {
    database.close();
    await removeBuild(input.effects, path);
  };
  return {
    id: input.buildId,
    path,
    connection,
    ingest: (request) => guard(() => ingestInputs({ connection, effects: input.effects, ...request })),
    finish: () =>
      guard(async () => {
        await connection.run('CHECKPOINT');
        database.close();
        await syncFile(path);
        await moveInto({ files: input.effects.files, from: path, to: finished });
        await publish({ ...input, finished });
        await prune(input.effects, { builds, keep: finished });
      }).catch(async (error: unknown) => {
        await discard();
        throw error;
      }),
    discard,
  };
}

async function openStart({
  warehouseRoot,
  path,
  effects,
}: {
  readonly warehouseRoot: string;
  readonly path: string;
  readonly effects: StoreEffects;
}): Promise<Database> {
  const current = join(warehouseRoot, 'current.duckdb');
  if (await exists(current)) {
    await copyFile(current, path, constants.COPYFILE_FICLONE);
    const copy = await opened(path).catch((error: unknown) => {
      effects.log({
        level: 'warn',
        step: 'warehouse',
        message: `The current build is not used: ${String(error)}`,
      });
      return null;
    });
    if (copy !== null) return copy;
    await removeBuild(effects, path);
    const empty = await opened(path);
    await keepRecords(empty.connection, { current, log: effects.log });
    return empty;
  }
  return opened(path);
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
async function publish({
  warehouseRoot,
  finished,
  effects,
}: {
  readonly warehouseRoot: string;
  readonly finished: string;
  readonly effects: StoreEffects;
}): Promise<void> {
  const { files } = effects;
  const next = join(warehouseRoot, 'current.duckdb.partial');
  try {
    await files.link(finished, next);
  } catch (error) {
    // file systems without hard links get a copy
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'].includes(code)) throw error;
    await copyFile(finished, next, constants.COPYFILE_FICLONE);
    await syncFile(next);
  }
  await moveInto({ files, from: next, to: join(warehouseRoot, 'current.duckdb') });
}

async function prune(
  effects: StoreEffects,
  { builds, keep }: { readonly builds: string; readonly keep: string },
): Promise<void> {
  const names = (await readdir(builds)).filter((name) => name.endsWith('.duckdb'));
  const aged = await Promise.all(
    names.map(async (name) => {
      const path = join(builds, name);
      return { path, time: path === keep ? Number.POSITIVE_INFINITY : (await stat(path)).mtimeMs };
    }),
  );
  aged.sort((a, b) => b.time - a.time || compareText(b.path, a.path));
  for (const { path } of aged.slice(keptBuilds)) await effects.files.remove(path);
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
