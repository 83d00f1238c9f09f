import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { FileEffects } from '../effects.ts';
import { readProducts, readRecordedHashes, readStandardConcepts, registryFiles } from './readRegistry.ts';
import { parseRegistry, type RegistryFile } from './registryFile.ts';
import { unknownConcepts } from './unknownConcepts.ts';
import { type Version, versionsOf } from './versionHashes.ts';

/** A version of the registry and whether its values are what it was recorded with. */
export type CheckedVersion = Version & { readonly status: 'recorded' | 'new' | 'changed' };

/** Compares every version with what it was recorded with (M13.2). */
export async function checkVersions(root: string): Promise<readonly CheckedVersion[]> {
  const versions = [...versionsOf(await readValues(root)), (await readProducts(root)).version];
  const recorded = await readRecordedHashes(root);
  return versions.map((version) => {
    const hash = recorded[version.version];
    return {
      ...version,
      status: hash === undefined ? 'new' : hash === version.hash ? 'recorded' : 'changed',
    };
  });
}

/** Concepts of the registry and the dictionaries that no published taxonomy has. */
export async function checkConcepts(root: string): Promise<readonly string[]> {
  return unknownConcepts(await readValues(root), await readStandardConcepts(root));
}

async function readValues(root: string): Promise<RegistryFile> {
  return parseRegistry(JSON.parse(await readFile(join(root, registryFiles.values), 'utf8')));
}

/** Adds the hashes of new versions to the table; what is recorded stays as it is. */
export async function recordVersions({
  root,
  versions,
  files,
}: {
  readonly root: string;
  readonly versions: readonly CheckedVersion[];
  readonly files: FileEffects;
}): Promise<void> {
  const fresh = versions.filter(({ status }) => status === 'new');
  if (fresh.length === 0) return;
  const lines = [
    ...Object.entries(await readRecordedHashes(root)),
    ...fresh.map(({ version, hash }) => [version, hash] as const),
  ];
  const bytes = `${JSON.stringify(Object.fromEntries(lines), null, 2)}\n`;
  await replaceFile({ files, path: join(root, registryFiles.hashes), bytes });
}
