import { constants } from 'node:fs';
import { copyFile, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { hashFile } from '../../../data/store/files/hashFile.ts';
import { moveInto } from '../../../data/store/files/replaceFile.ts';
import type { StoreEffects } from '../../effects.ts';
import { type BuildReport, type IngestRequest, ingestInputs } from '../load/ingestInputs.ts';
import { buildOfRecord, writeBuildRecord } from './buildRecord.ts';
import { storeError } from './readRows.ts';
import { digestRecords } from './recordTables.ts';
import { type BuildStart, startBuild } from './startBuild.ts';

/** A warehouse file under construction; invisible until `finish`. */
export type Build = {
  readonly id: string;
  /** The file while it is being built. */
  readonly path: string;
  readonly start: BuildStart;
  readonly connection: DuckDBConnection;
  ingest(request: IngestRequest): Promise<BuildReport>;
  /** Makes the build durable and publishes it as `current.duckdb`. */
  finish(): Promise<void>;
  /** Gives the build up; nothing of it stays. Harmless after `finish`. */
  discard(): Promise<void>;
};

const keptBuilds = 2;
const schema_id = 'warehouse_build.v1';

/**
 * Starts a build as a copy of the current one, or empty when there is none, when it is of another version or when it is
 * not what the last build left.
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
  const { database, start } = await guard(async () => {
    await input.effects.files.makeDirectory(builds);
    await removeLeftovers(input.effects, input.warehouseRoot);
    return startBuild({ ...input, path });
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
    start,
    connection,
    ingest: (request) => guard(() => ingestInputs({ connection, effects: input.effects, ...request })),
    finish: () =>
      guard(async () => {
        await connection.run('CHECKPOINT');
        const records = await digestRecords(connection);
        database.close();
        await sealFile(path);
        const record = { schema_id, build: input.buildId, sha256: await hashFile(path), records } as const;
        await writeBuildRecord({ builds, record, files: input.effects.files });
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
    await sealFile(next);
  }
  await moveInto({ files, from: next, to: join(warehouseRoot, 'current.duckdb') });
  // a session on the old file would show what it wrote under the new one
  await removeForeignLogs(effects, warehouseRoot);
}

async function prune(
  effects: StoreEffects,
  { builds, keep }: { readonly builds: string; readonly keep: string },
): Promise<void> {
  const names = (await readdir(builds)).filter((name) => name.endsWith('.duckdb'));
  const aged = await Promise.all(
    names.map(async (name) => {
      const path = join(builds, name);
      return { path, time: path === keep ? Number.POSITIVE_INFINITY : (await lstat(path)).mtimeMs };
    }),
  );
  aged.sort((a, b) => b.time - a.time || compareText(b.path, a.path));
  for (const { path } of aged.slice(keptBuilds)) await effects.files.remove(path);
  const kept = new Set(aged.slice(0, keptBuilds).map(({ path }) => path));
  for (const name of await readdir(builds)) {
    const build = buildOfRecord(name);
    if (build !== null && !kept.has(join(builds, `${build}.duckdb`)))
      await effects.files.remove(join(builds, name));
  }
}

async function removeLeftovers(effects: StoreEffects, warehouseRoot: string): Promise<void> {
  for (const folder of [warehouseRoot, join(warehouseRoot, 'builds')]) {
    for (const name of await readdir(folder)) {
      if (/\.(duckdb|build\.json)\.partial(\.wal|\.tmp)?$/.test(name))
        await effects.files.remove(join(folder, name));
    }
    await removeForeignLogs(effects, folder);
  }
}

/** No night leaves a write-ahead log beside a finished build, and the database would replay one under any build. */
async function removeForeignLogs(effects: StoreEffects, folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.duckdb.wal')) continue;
    await effects.files.remove(join(folder, name));
    const message = `Another program wrote to ${join(folder, name.slice(0, -'.wal'.length))}: what it left in ${name} is removed.`;
    effects.log({ level: 'warn', step: 'warehouse', message });
  }
}

async function removeBuild(effects: StoreEffects, path: string): Promise<void> {
  for (const name of [path, `${path}.wal`, `${path}.tmp`])
    await effects.files.remove(name).catch(() => undefined);
}

/** Waits until the bytes of a file are on the disk; from here on it is read-only for everybody but root. */
async function sealFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.chmod(0o444);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
