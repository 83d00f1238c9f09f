import { join } from 'node:path';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { FileEffects } from '../effects.ts';
import { readRecordedHashes, readVersions, registryFiles } from './readRegistry.ts';
import type { Version } from './versionHashes.ts';

/** A version of the registry and whether its values are what it was recorded with. */
export type CheckedVersion = Version & { readonly status: 'recorded' | 'new' | 'changed' };

/** Compares every version with what it was recorded with (M13.2). */
export async function checkVersions(root: string): Promise<readonly CheckedVersion[]> {
  const recorded = await readRecordedHashes(root);
  const versions = await readVersions(root, recorded);
  return versions.map((version) => {
    const hash = recorded[version.version];
    return {
      ...version,
      status: hash === undefined ? 'new' : hash === version.hash ? 'recorded' : 'changed',
    };
  });
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
