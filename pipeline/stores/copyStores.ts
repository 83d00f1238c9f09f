import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { directoryStore } from '../../data/store/directoryStore.ts';
import { storeNames } from '../../data/store/storeFiles.ts';
import type { Store } from '../../data/store/storePort.ts';
import type { StoreEffects } from '../effects.ts';
import type { ReleasePaths } from '../release/releasePaths.ts';
import { compareReleases } from '../release/releaseStore.ts';
import { type Copied, copyReleases, namedIn } from './copyReleases.ts';
import { lastCopies } from './lastCopies.ts';
import { readStoreState, type StoreState } from './storedDocuments.ts';
import { type StoreRelation, storeRelation } from './storeRelation.ts';

/** What a copy did: nothing was to be done where `copied` is null. */
export type StoresCopied = { readonly relation: StoreRelation; readonly copied: Copied | null };

/**
 * Copies between the local store and another one, whole: `push` brings the other up to this one, `pull` this one up to
 * the other.
 *
 * @param direction what may be done
 * @throws IssuerError `validation_failed` when both published what the other does not know
 */
export async function copyStores({
  paths,
  store,
  direction,
  dryRun,
  effects,
  stopIfAsked,
  beforePointers,
}: {
  paths: ReleasePaths;
  store: Store;
  direction: 'push' | 'pull';
  dryRun: boolean;
  effects: StoreEffects;
  stopIfAsked: () => void;
  beforePointers: () => Promise<void>;
}): Promise<StoresCopied> {
  const local = directoryStore({ root: paths.root, keepOpen: 4 });
  const scratch = join(paths.root, 'transfer');
  const memory = lastCopies(paths, effects.files);
  try {
    const [own, other] = [await readStoreState(local), await readStoreState(store)];
    const last = await memory.read(store.address);
    const relation = storeRelation({ own, other, last });
    if (relation === 'diverged' || !(await agree({ local, store, own, other }))) throw diverged(store);
    if (direction === 'push' && relation === 'behind') throw behind(store);
    const done = relation === 'same' || relation === (direction === 'push' ? 'behind' : 'ahead');
    if (done) return { relation, copied: null };
    const [from, to] = direction === 'push' ? [local, store] : [store, local];
    const states = direction === 'push' ? { from: own, to: other } : { from: other, to: own };
    if (!dryRun) {
      const { slicesSha256, current } = states.to;
      const towards = states.from.fingerprint;
      await memory.write(store.address, { slices_sha256: slicesSha256, current, towards });
    }
    const copied = await copyReleases({
      from,
      to,
      states,
      scratch,
      // a store may hold releases of keys that were replaced since; the signature itself must hold
      publicKeys: null,
      dryRun,
      log: effects.log,
      stopIfAsked,
      beforePointers,
    });
    if (!dryRun) {
      const { slicesSha256, current } = states.from;
      await memory.write(store.address, { slices_sha256: slicesSha256, current, towards: null });
    }
    return { relation, copied };
  } finally {
    local.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Whether the newest release that both answer with is the same one: two stores may have given one name to two. */
async function agree({
  local,
  store,
  own,
  other,
}: {
  local: Store;
  store: Store;
  own: StoreState;
  other: StoreState;
}): Promise<boolean> {
  const known = namedIn(other.slices, other.current);
  const shared = [...namedIn(own.slices, own.current)].filter((name) => known.has(name));
  const newest = shared.sort(compareReleases).at(-1);
  if (newest === undefined) return true;
  const name = storeNames.manifest(newest);
  const [here, there] = [await local.read(name), await store.read(name)];
  // what is missing is found by the gate and by fsck
  return here === null || there === null || here.equals(there);
}

function diverged({ address }: Store): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `This store and ${address} were published into apart: each has releases the other does not know.`,
    hint: 'Keep one. To keep the other: move the local artifacts directory away and run `issuer release pull`. To keep this one: name another prefix.',
  });
}

function behind({ address }: Store): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `${address} has releases that this store does not know.`,
    hint: `Run \`issuer release pull ${address}\` first.`,
  });
}
