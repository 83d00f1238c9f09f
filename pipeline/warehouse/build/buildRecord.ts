import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { sha256 } from '../../../data/contract/values/primitives.ts';
import { hashFile } from '../../../data/store/files/hashFile.ts';
import { replaceFile } from '../../../data/store/files/replaceFile.ts';
import type { FileEffects } from '../../effects.ts';
import { parsedOrNull } from '../../exactJson.ts';

const suffix = '.build.json';

/** `builds/<id>.build.json`: what a finished build was when it was left. */
const buildRecord = z.strictObject({
  schema_id: z.literal('warehouse_build.v1'),
  build: z.string(),
  /** Of the whole database file. */
  sha256,
  /** Digest of each group of records, by name. */
  records: z.record(z.string(), z.string()),
});

export type BuildRecord = z.infer<typeof buildRecord>;

/** Writes what a build is before it gets its name, so that no file of that name is ever without a record. */
export async function writeBuildRecord({
  builds,
  record,
  files,
}: {
  readonly builds: string;
  readonly record: BuildRecord;
  readonly files: FileEffects;
}): Promise<void> {
  await replaceFile({ files, path: join(builds, `${record.build}${suffix}`), bytes: canonicalJson(record) });
}

/** The readable records of a folder of builds; a damaged one vouches for nothing. */
export async function readBuildRecords(builds: string): Promise<BuildRecord[]> {
  const names = (await readdir(builds).catch(() => [])).filter((name) => name.endsWith(suffix)).sort();
  const records = await Promise.all(names.map((name) => readBuildRecord(join(builds, name))));
  return records.filter((record) => record !== null);
}

async function readBuildRecord(path: string): Promise<BuildRecord | null> {
  return parsedOrNull(buildRecord, await readFile(path, 'utf8').catch(() => ''));
}

/** The build a record file belongs to; null for any other file. */
export function buildOfRecord(name: string): string | null {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : null;
}

/** Why a warehouse that is not as left is built again. */
export const changedWarehouse = 'another program changed the warehouse since the last night';

/** Whether the current warehouse is, byte for byte, a build that a night or backfill finished. */
export async function isAsLeft({ warehouseRoot }: { readonly warehouseRoot: string }): Promise<boolean> {
  const records = await readBuildRecords(join(warehouseRoot, 'builds'));
  const found = await hashFile(join(warehouseRoot, 'current.duckdb'));
  return records.some(({ sha256: left }) => left === found);
}
