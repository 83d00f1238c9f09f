import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { promotedSlices, promotionNames } from '../../data/contract/release/releaseFiles.ts';
import { directoryStore } from '../../data/store/directoryStore.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import { storeNames } from '../../data/store/storeFiles.ts';
import type { Store } from '../../data/store/storePort.ts';
import type { OwnStore } from '../dataLayout.ts';
import { type DataLayout, inStore, type ReleasePaths } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { withNightlyLock } from '../nightly/nightlyLock.ts';
import { stopIfAsked } from '../nightly/nightStep.ts';
import { readReleasePacks } from '../release/reachable.ts';
import { lackingDocument, releaseDamage } from '../release/releaseDamage.ts';
import { listReleaseNames, readCurrent, readManifest, readSliceIndex } from '../release/releaseStore.ts';
import { sealPointers, sequenceProblems, unsignedPointers } from '../release/sealPointers.ts';
import { manifestProblems } from '../release/verifyRelease.ts';
import type { Route } from './copyPack.ts';
import { copyPack } from './copyPack.ts';
import type { HeldRight } from './copyReleases.ts';
import { replaceChanged } from './copyReleases.ts';
import { copyStores, sweepStored } from './copyStores.ts';
import type { Lease } from './postgresLease.ts';
import { withPublicationLease } from './publicationLease.ts';
import { readStoredRelease, readStoreState } from './storedDocuments.ts';

type Publishing = {
  readonly layout: DataLayout;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly effects: StoreEffects;
  readonly signal: AbortSignal;
};

/**
 * Runs a command that changes releases. Where `II_STORE` names another store than the local one, the command runs with the
 * right to publish into it (STORE ST16): what is new there is pulled first, and what this store lost is brought back, and what the command left here is pushed
 * after it, also when it fails: nights before it may stand.
 *
 * @throws IssuerError `locked` while another machine publishes, and what `act` throws
 */
export async function withPublishing<T>(
  request: Publishing,
  act: (restored: readonly string[]) => Promise<T>,
): Promise<T> {
  const { environment, effects, signal, layout } = request;
  const address = environment['II_STORE'] ?? '';
  if (address === '') return sealed(request, [], act);
  // a night without a bucket loads nothing of it
  const { openStore } = await import('../../data/store/openStore.ts');
  const store = openStore({ address, environment, signal });
  try {
    return await withPublicationLease({ store, environment, ...effects }, async (lease) => {
      const restored = await withNightlyLock({ path: layout.lock, effects }, () => catchUp(request, store));
      const outcome = await sealed(request, restored, act).catch(async (error: unknown) => {
        await afterFailure(request, { store, lease, error });
        throw error;
      });
      await publish(request, { store, lease });
      return outcome;
    });
  } finally {
    store.close();
  }
}

/** Runs a command over pointers whose sequence was looked at, and signs what they say after it, also when it fails. */
async function sealed<T>(
  { layout, effects }: Publishing,
  restored: readonly string[],
  act: (restored: readonly string[]) => Promise<T>,
): Promise<T> {
  const problems = await sequenceProblems(layout);
  for (const message of problems) effects.log({ level: 'warn', step: 'pointers', message });
  try {
    // a run that was killed leaves pointers unsigned; other causes are not ours
    const found = problems.filter((problem) => problem !== unsignedPointers);
    return await act([...restored, ...found.map((problem) => `${problem}: the pointers are signed anew`)]);
  } finally {
    // another run that has the lock signs them itself, and where nothing is published there is nothing to sign
    if (existsSync(layout.artifacts.root))
      await withNightlyLock({ path: layout.lock, effects }, () => sealPointers(layout, effects.files)).catch(
        (error: unknown) => {
          if (error instanceof IssuerError && error.code === 'locked') return;
          const message = `the pointers were not signed: ${error instanceof Error ? error.message : String(error)}`;
          effects.log({ level: 'warn', step: 'pointers', message });
        },
      );
  }
}

async function catchUp({ layout, effects, signal }: Publishing, store: Store): Promise<readonly string[]> {
  const restored = await restoreDamaged({ ...effects, paths: layout.artifacts, store });
  for (const message of restored) effects.log({ level: 'warn', step: 'copy', message });
  const { copied } = await copyStores({
    paths: layout.artifacts,
    store,
    direction: 'pull',
    dryRun: false,
    effects,
    stopIfAsked: () => stopIfAsked(signal),
    assertHeld: async () => undefined,
  });
  if (copied === null) return restored;
  const message = `${copied.releases.length} releases of ${store.address} were pulled`;
  effects.log({ level: 'info', step: 'copy', message });
  return restored;
}

async function publish(
  { layout, effects, signal }: Publishing,
  { store, lease }: { store: Store; lease: Lease },
): Promise<void> {
  await withNightlyLock({ path: layout.lock, effects }, async () => {
    const paths = layout.artifacts;
    const { copied } = await copyStores({
      paths,
      store,
      direction: 'push',
      dryRun: false,
      effects,
      stopIfAsked: () => stopIfAsked(signal),
      assertHeld: lease.assertHeld,
    });
    const from = directoryStore({ root: paths.root, keepOpen: 4 });
    const scratch = join(paths.root, 'transfer');
    try {
      await copyBeside({ from, to: store, assertHeld: lease.assertHeld });
      const state = await readStoreState(from);
      const swept = await sweepStored({
        from,
        to: store,
        state,
        assertHeld: lease.assertHeld,
        scratch,
        now: effects.clock.now(),
      });
      const done =
        copied === null ? 'nothing new' : `${copied.releases.length} releases, ${copied.bytes} bytes`;
      const gone = swept.packs.length === 0 ? '' : `; ${swept.packs.length} packs removed`;
      effects.log({ level: 'info', step: 'copy', message: `published to ${store.address}: ${done}${gone}` });
    } finally {
      from.close();
      await rm(scratch, { recursive: true, force: true });
    }
  });
}

/** Of two failures the first is the one to report. */
async function afterFailure(
  request: Publishing,
  { store, lease, error }: { store: Store; lease: Lease; error: unknown },
): Promise<void> {
  const code = error instanceof IssuerError ? error.code : null;
  if (code === 'interrupted' || code === 'locked') return;
  // a night that lacks something is a night; that it is nowhere to be seen is worse
  if (code === 'degraded') return publish(request, { store, lease });
  await publish(request, { store, lease }).catch((second: unknown) => {
    const reason = second instanceof Error ? second.message : String(second);
    request.effects.log({ level: 'warn', step: 'copy', message: `nothing was published: ${reason}` });
  });
}

/** Copies what stands beside the releases: how the last night ended, and its audits, the newest as they are now. */
async function copyBeside({ from, to, assertHeld }: Omit<Route, 'scratch'> & HeldRight): Promise<void> {
  const copy = async (name: string) => {
    const bytes = await from.read(name);
    if (bytes !== null) await replaceChanged(to, { name, bytes, assertHeld });
  };
  const names = (await from.list('audit/')).filter((name) => /^[\w.-]+\.json$/.test(name)).sort();
  const known = new Set(await to.list('audit/'));
  // an audit and the figures of the same night
  const newest = names.slice(-2);
  for (const name of names) {
    if (known.has(name) && !newest.includes(name)) continue;
    await copy(`audit/${name}`);
  }
  await copy(promotionNames.stored);
  await copy('last-run.json');
}

/**
 * Brings back from another store what this one lost of what both publish (STORE ST20): pointers that cannot be read, the
 * documents of promoted releases, and the pack of the current one. The bytes are those that were published.
 *
 * @returns a sentence for each
 * @throws IssuerError as the other store does, when it does not answer
 */
async function restoreDamaged({ paths, store, files }: OwnStore & { store: Store }): Promise<string[]> {
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
}: OwnStore & { store: Store; release: string }): Promise<boolean> {
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
