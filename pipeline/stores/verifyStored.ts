import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { packLibrary } from '../../data/store/packLibrary.ts';
import type { Store } from '../../data/store/storePort.ts';
import type { VerifiedRelease } from '../release/verifyRelease.ts';
import { blockReads } from './blockReads.ts';
import { proveStored } from './proveStored.ts';
import { listStoredReleases, readStoreState } from './storedDocuments.ts';

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
