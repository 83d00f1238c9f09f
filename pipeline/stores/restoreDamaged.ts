import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { promotedSlices } from '../../data/contract/release/releaseFiles.ts';
import { directoryStore } from '../../data/store/directoryStore.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import { storeNames } from '../../data/store/storeFiles.ts';
import type { Store } from '../../data/store/storePort.ts';
import type { FileEffects } from '../effects.ts';
import { readReleasePacks } from '../release/reachable.ts';
import { lackingDocument, releaseDamage } from '../release/releaseDamage.ts';
import { inStore, type ReleasePaths } from '../release/releasePaths.ts';
import { listReleaseNames, readCurrent, readManifest, readSliceIndex } from '../release/releaseStore.ts';
import { manifestProblems } from '../release/verifyRelease.ts';
import { copyPack } from './copyPack.ts';
import { readStoredRelease } from './storedDocuments.ts';

/**
 * Brings back from another store what this one lost of what both publish (STORE ST20): pointers that cannot be read, the
 * documents of promoted releases, and the pack of the current one. The bytes are those that were published.
 *
 * @returns a sentence for each
 * @throws IssuerError as the other store does, when it does not answer
 */
export async function restoreDamaged({
  paths,
  store,
  files,
}: {
  paths: ReleasePaths;
  store: Store;
  files: FileEffects;
}): Promise<string[]> {
  if ((await listReleaseNames(paths)).length === 0) return [];
  const from = `copied back from ${store.address}`;
  const told: string[] = [];
  for (const name of await brokenPointers(paths)) {
    const pointer = await store.pointer(name);
    if (pointer === null) continue;
    await replaceFile({ files, path: join(paths.root, name), bytes: pointer.bytes });
    told.push(`${name} was damaged: it is ${from}`);
  }
  const current = await readCurrent(paths).catch(() => null);
  const promoted = promotedSlices(await readSliceIndex(paths).catch(() => ({})));
  for (const release of Object.values(promoted)) {
    // inside an older one is looked when it is needed
    const isThere = (await lackingDocument(paths, release)) === null;
    const stands = isThere && (release !== current || (await hasDocuments(paths, release)));
    if (!stands && (await bringDocuments({ paths, store, release, files })))
      told.push(`release ${release} had lost its documents: they are ${from}`);
  }
  if (current !== null && (await bringPack({ paths, store, release: current })))
    told.push(`release ${current} had a damaged pack: it is ${from}`);
  return told;
}

async function brokenPointers(paths: ReleasePaths): Promise<string[]> {
  const slices = existsSync(paths.slices) && (await isRead(readSliceIndex(paths)));
  const current = existsSync(paths.current) ? await isRead(readCurrent(paths)) : slices;
  return [...(slices ? [] : ['slices.json']), ...(current ? [] : ['current'])];
}

async function hasDocuments(paths: ReleasePaths, release: string): Promise<boolean> {
  return (await isRead(readManifest(paths, release))) && (await isRead(readReleasePacks(paths, release)));
}

/** Whether something could be read; what is damaged is none of it. */
async function isRead(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading;
    return true;
  } catch (error) {
    if (error instanceof IssuerError) return false;
    throw error;
  }
}

async function bringDocuments({
  paths,
  store,
  release,
  files,
}: {
  paths: ReleasePaths;
  store: Store;
  release: string;
  files: FileEffects;
}): Promise<boolean> {
  const stored = await readStoredRelease(store, release).catch(unlessAway);
  if (stored === null) return false;
  if (manifestProblems(stored.manifest, { name: release, publicKeys: null }).length > 0) return false;
  await files.makeDirectory(join(paths.releases, release));
  // last: a release without a manifest is none
  for (const [name, bytes] of [
    [storeNames.packs(release), stored.bytes.packs],
    [storeNames.manifest(release), stored.bytes.manifest],
  ] as const)
    await replaceFile({ files, path: inStore(paths, name), bytes });
  return true;
}

async function bringPack({
  paths,
  store,
  release,
}: {
  paths: ReleasePaths;
  store: Store;
  release: string;
}): Promise<boolean> {
  const damage = () => releaseDamage({ paths, release, publicKeys: null });
  if (!(await hasDocuments(paths, release)) || (await damage()) === null) return false;
  const [pack] = (await readReleasePacks(paths, release)).packs;
  if (pack === undefined) return false;
  const to = directoryStore({ root: paths.root, keepOpen: 1 });
  try {
    const scratch = join(paths.root, 'transfer');
    await copyPack({ from: store, to, pack, scratch, isNeeded: async () => false });
  } catch (error) {
    return unlessAway(error) !== null;
  } finally {
    to.close();
  }
  return (await damage()) === null;
}

/** What the other store has damaged itself is no help; one that does not answer ends the run. */
function unlessAway(error: unknown): null {
  if (error instanceof IssuerError && error.code === 'validation_failed') return null;
  throw error;
}
