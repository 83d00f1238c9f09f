import { dirname, join } from 'node:path';
import { moveInto, nameBeside } from '../../data/store/files/replaceFile.ts';
import type { OwnStore } from '../dataLayout.ts';
import { openRelease } from './openRelease.ts';
import type { NamedRelease } from './releaseStore.ts';
import { readManifest } from './releaseStore.ts';

/**
 * Writes the artifacts of a release as files under their keys, with the signed manifest: for people, nginx and rsync
 * (STORE ST6). Every byte is checked against the manifest before it is written, and the directory, which is empty or not
 * there, gets them whole or not at all.
 *
 * @throws IssuerError `validation_failed` when an artifact is damaged
 */
export async function extractRelease({
  paths,
  name,
  directory,
  files,
}: NamedRelease & OwnStore & { directory: string }): Promise<{ keys: readonly string[]; bytes: number }> {
  const release = await openRelease(paths, name);
  const { artifacts } = release.manifest;
  const staged = nameBeside(directory, 'partial');
  const made = new Set<string>();
  const write = async (key: string, bytes: Uint8Array): Promise<void> => {
    const path = join(staged, key);
    if (!made.has(dirname(path))) await files.makeDirectory(dirname(path));
    made.add(dirname(path));
    await files.write(path, bytes);
  };
  let bytes = 0;
  try {
    for (const { key } of artifacts) {
      const stored = (await release.read(key)) ?? Buffer.alloc(0);
      await write(key, stored);
      bytes += stored.length;
    }
    await write('manifest.json', (await readManifest(paths, name)).bytes);
    await moveInto({ files, from: staged, to: directory });
  } catch (error) {
    await files.remove(staged);
    throw error;
  }
  return { keys: artifacts.map(({ key }) => key), bytes };
}
