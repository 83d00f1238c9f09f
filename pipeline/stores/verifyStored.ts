import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { objectReader } from '../../data/store/objectReader.ts';
import { type PackLibrary, packLibrary } from '../../data/store/packLibrary.ts';
import type { Store } from '../../data/store/storePort.ts';
import {
  artifactProblems,
  manifestProblems,
  refusedRelease,
  type VerifiedRelease,
} from '../release/verifyRelease.ts';
import { blockReads } from './blockReads.ts';
import { listStoredReleases, readStoredRelease, readStoreState } from './storedDocuments.ts';

/**
 * The release gate over a store: signature, and every object through the reader that the server uses. What lies in packs
 * of earlier publications was proved then, and is only looked up.
 *
 * @param library packs of the store, kept for several releases that share some
 * @param isOlder says so of a pack
 * @throws IssuerError `validation_failed` naming what is wrong
 */
export async function proveStored({
  store,
  library,
  release,
  isOlder,
  publicKeys,
}: {
  store: Store;
  library: PackLibrary;
  release: string;
  isOlder: (pack: string) => boolean;
  publicKeys: readonly string[] | null;
}): Promise<VerifiedRelease> {
  const stored = async () => {
    const found = await readStoredRelease(store, release);
    if (found !== null) return found;
    throw new IssuerError({
      code: 'validation_failed',
      message: `Release ${release} is not whole in ${store.address}.`,
      hint: 'Run the same command again; it goes on where it stopped.',
    });
  };
  const { manifest, packs } = await stored();
  const objects = objectReader({ library, packs, again: async () => (await stored()).packs });
  const problems = manifestProblems(manifest, { name: release, publicKeys });
  for await (const problem of artifactProblems({ manifest, objects, isOlder })) problems.push(problem);
  if (problems.length > 0) throw refusedRelease(release, problems);
  return { manifest, bytes: manifest.artifacts.reduce((sum, entry) => sum + entry.bytes, 0) };
}

/**
 * Reads every byte of a release where it lies, as the server would.
 *
 * @param name null for the current one
 * @throws IssuerError `input_missing` when there is none of that name, `validation_failed` when something is wrong
 */
export async function verifyStored({
  store,
  name,
  publicKeys,
}: {
  store: Store;
  name: string | null;
  publicKeys: readonly string[] | null;
}): Promise<VerifiedRelease> {
  const { current } = await readStoreState(store);
  const release = name ?? current;
  if (release === null || !(await listStoredReleases(store)).includes(release)) {
    throw new IssuerError({
      code: 'input_missing',
      message:
        release === null
          ? `Nothing is published in ${store.address}.`
          : `There is no release ${release.slice(0, 64)} in ${store.address}.`,
      hint: 'Publish there with II_STORE set, or copy releases there with `issuer release push`.',
    });
  }
  const library = packLibrary(blockReads(store));
  return proveStored({ store, library, release, isOlder: () => false, publicKeys });
}
