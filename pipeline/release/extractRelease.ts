import { dirname, join } from 'node:path';
import type { OwnStore } from '../dataLayout.ts';
import { openRelease } from './openRelease.ts';
import type { NamedRelease } from './releaseStore.ts';
import { readManifest } from './releaseStore.ts';

/**
 * Writes the artifacts of a release as files under their keys, with the signed manifest: for people, nginx and rsync
 * (STORE ST6). Every byte is checked against the manifest before it is written.
 *
 * @throws IssuerError `validation_failed` when an artifact is damaged; what came before it is written.
 */
export async function extractRelease({
  paths,
  name,
  directory,
  files,
}: NamedRelease & OwnStore & { directory: string }): Promise<{ keys: readonly string[]; bytes: number }> {
  const release = await openRelease(paths, name);
  const { artifacts } = release.manifest;
  const made = new Set<string>();
  const write = async (key: string, bytes: Uint8Array): Promise<void> => {
    const path = join(directory, key);
    if (!made.has(dirname(path))) await files.makeDirectory(dirname(path));
    made.add(dirname(path));
    await files.write(path, bytes);
  };
  let bytes = 0;
  for (const { key } of artifacts) {
    const stored = (await release.read(key)) ?? Buffer.alloc(0);
    await write(key, stored);
    bytes += stored.length;
  }
  await write('manifest.json', (await readManifest(paths, name)).bytes);
  return { keys: artifacts.map(({ key }) => key), bytes };
}
