import { constants, existsSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFile } from '../../../data/store/files/hashFile.ts';
import { moveInto } from '../../../data/store/files/replaceFile.ts';
import type { StoreEffects } from '../../effects.ts';
import { readBuildRecords } from './buildRecord.ts';
import { keepRecords } from './keepRecords.ts';
import { type Database, openForWriting } from './openDatabase.ts';
import { prepareSchema } from './prepareSchema.ts';

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
  } else warn(notLeft(found, records.length));
  const database = await opened(path);
  const left = isLeft || records.length === 0 ? null : records.map((record) => record.records);
  await keepRecords(database.connection, { earlier, left, log: effects.log });
  return { database, start: left === null ? 'renewed' : 'changed' };
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
