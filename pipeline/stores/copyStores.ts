import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { promotedSlices, releaseName, type SliceIndex } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { datetime, sha256 } from '../../data/contract/values/primitives.ts';
import { directoryStore } from '../../data/store/directoryStore.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import { packName, releasePacks, storeNames } from '../../data/store/storeFiles.ts';
import type { Store } from '../../data/store/storePort.ts';
import type { ReleasePaths } from '../dataLayout.ts';
import type { FileEffects, StoreEffects } from '../effects.ts';
import { compareReleases, parsedFile } from '../release/releaseStore.ts';
import { counted } from '../release/storeTexts.ts';
import type { Route } from './copyPack.ts';
import { copyPack } from './copyPack.ts';
import type { CopyRun, HeldRight } from './copyReleases.ts';
import { type Copied, copyReleases, namedIn, replaceChanged, storedPacks } from './copyReleases.ts';
import { listStoredReleases, parsed, readStoreState, type StoreState } from './storedDocuments.ts';

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
  assertHeld,
}: CopyRun & {
  paths: ReleasePaths;
  store: Store;
  direction: 'push' | 'pull';
  effects: StoreEffects;
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
      assertHeld,
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

/** What this store says, and the one it is to be written to. */
type Stood = { readonly own: StoreState; readonly other: StoreState };

/** Whether the newest release that both answer with is the same one: two stores may have given one name to two. */
async function agree({ local, store, own, other }: Stood & { local: Store; store: Store }): Promise<boolean> {
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

/** `copies.json`: by address, what was last known of another store. */
const storeCopies = z.strictObject({
  schema_id: z.literal('store_copies.v1'),
  stores: z.record(
    z.string(),
    z.strictObject({ slices_sha256: sha256, current: releaseName.nullable(), towards: sha256.nullable() }),
  ),
});

/** What was last known of the stores this one was copied to or from. */
function lastCopies(
  { root }: ReleasePaths,
  files: FileEffects,
): {
  read(address: string): Promise<LastCopy | null>;
  write(address: string, last: LastCopy): Promise<void>;
} {
  const path = join(root, 'copies.json');
  const all = async () => (existsSync(path) ? (await parsedFile(storeCopies, path)).stores : {});
  return {
    read: async (address) => (await all())[address] ?? null,
    async write(address, last) {
      const stores = { ...(await all()), [address]: { ...last } };
      await files.makeDirectory(root);
      await replaceFile({ files, path, bytes: canonicalJson({ schema_id: 'store_copies.v1', stores }) });
    },
  };
}

/** What both stores said after the last copy between them, or what the one that was written said before it. */
type LastCopy = {
  readonly slices_sha256: string;
  readonly current: string | null;
  /** Fingerprint of what is being written; null once it is done. */
  readonly towards: string | null;
};

/** How a store stands to the one it is to be written to. */
type StoreRelation = 'same' | 'ahead' | 'behind' | 'diverged';

/**
 * `ahead` when everything `other` says is in `own`, or `other` did not change since the last copy; `behind` the other way
 * round; `diverged` when both say what the other does not know.
 */
export function storeRelation({ own, other, last }: Stood & { last: LastCopy | null }): StoreRelation {
  if (own.fingerprint === other.fingerprint) return 'same';
  if (last !== null && isUnchanged(other, last)) return 'ahead';
  if (last !== null && isUnchanged(own, last)) return 'behind';
  if (last !== null && isBetween(other, { last, target: own })) return 'ahead';
  if (last !== null && isBetween(own, { last, target: other })) return 'behind';
  if (knows(own, other)) return 'ahead';
  return knows(other, own) ? 'behind' : 'diverged';
}

function isUnchanged(state: StoreState, last: LastCopy): boolean {
  return state.slicesSha256 === last.slices_sha256 && state.current === last.current;
}

/** Whether a copy to `target` died when one of the two pointers had moved. */
function isBetween(state: StoreState, { last, target }: { last: LastCopy; target: StoreState }): boolean {
  return (
    last.towards === target.fingerprint &&
    [last.slices_sha256, target.slicesSha256].includes(state.slicesSha256) &&
    [last.current, target.current].includes(state.current)
  );
}

/** Whether a state has every date of another as it is there, and nothing older as its current release. */
function knows(one: StoreState, other: StoreState): boolean {
  const isHeld = Object.entries(other.slices).every(([date, entry]) => isSame(one.slices[date], entry));
  if (!isHeld || other.current === null) return isHeld;
  const isPromoted = Object.values(promotedSlices(one.slices)).includes(other.current);
  return isPromoted && one.current !== null && compareReleases(one.current, other.current) >= 0;
}

function isSame(a: SliceIndex[string] | undefined, b: SliceIndex[string]): boolean {
  return a !== undefined && canonicalJson({ entry: a }) === canonicalJson({ entry: b });
}

/** What a copy between two stores did, or would do, in a line or two. */
export function copiedText(
  { relation, copied }: StoresCopied,
  { direction, address, dryRun }: { direction: 'push' | 'pull'; address: string; dryRun: boolean },
): string {
  const [from, to] = direction === 'push' ? ['this store', address] : [address, 'this store'];
  if (copied === null)
    return relation === 'same'
      ? `Nothing to copy: ${from} and ${to} say the same.\n`
      : `Nothing to copy: ${to} has all of ${from} and more.\n`;
  const { releases, packs, bytes } = copied;
  const what = `${counted(releases.length, 'release')} in ${counted(packs.length, 'new pack')}`;
  if (dryRun) return `Would copy ${what} from ${from} to ${to}.\n`;
  const size = `${bytes.toLocaleString('en')} bytes`;
  return `Copied ${what} (${size}) from ${from} to ${to}, read it again there, and moved the pointers.\n`;
}

/** `unreferenced.json`: packs that no release needs, and since when that is known. */
const unreferencedPacks = z.strictObject({
  schema_id: z.literal('unreferenced_packs.v1'),
  since: z.record(packName, datetime),
});
type Since = z.infer<typeof unreferencedPacks>['since'];

const documentName = 'unreferenced.json';
/** A server that opened a release before reads its packs to the end of what it began. */
const graceMs = 24 * 3_600_000;

/** What was swept from a store. */
type SweptStore = { readonly releases: readonly string[]; readonly packs: readonly string[] };

/**
 * Lets `to` follow what prune did in `from` (STORE ST5): releases that are gone there go, packs that were written again
 * are copied, and a pack that no release needs goes 24 hours after that was first seen.
 *
 * @param state what both stores say
 */
export async function sweepStored({
  from,
  to,
  state,
  scratch,
  now,
  assertHeld,
}: Route & HeldRight & { state: StoreState; now: Date }): Promise<SweptStore> {
  const known = await storedPacks(to);
  const wanted = await storedPacks(from);
  const condemned = await readUnreferenced(to);
  const gone = await supersededReleases({ from, to, state });
  const strange = [...known].filter((pack) => !wanted.has(pack));
  const isSettled = strange.every((pack) => condemned[pack] !== undefined);
  const isDue = (pack: string) => now.getTime() - Date.parse(condemned[pack] ?? '') >= graceMs;
  const isQuiet =
    gone.length === 0 && isSettled && !Object.keys(condemned).some((pack) => !strange.includes(pack));
  if (isQuiet && !strange.some(isDue)) return { releases: [], packs: [] };

  await assertHeld();
  for (const release of gone) {
    await to.remove(storeNames.manifest(release));
    await to.remove(storeNames.packs(release));
  }
  if (!isSettled) await layOutAnew({ from, to, known, scratch, assertHeld });
  const needed = await referencedPacks(to);
  const files = await packFiles(to);
  const unneeded = [...files].filter((pack) => !needed.has(pack)).sort();
  const removed = unneeded.filter(isDue);
  await assertHeld();
  for (const pack of removed) {
    await to.remove(storeNames.index(pack));
    await to.remove(storeNames.pack(pack));
  }
  const since = Object.fromEntries(
    unneeded
      .filter((pack) => !removed.includes(pack))
      .map((pack) => [pack, condemned[pack] ?? instant(now.getTime())]),
  );
  const document = canonicalJson({ schema_id: 'unreferenced_packs.v1', since });
  await to.replace(documentName, Buffer.from(document));
  return { releases: gone, packs: removed };
}

async function readUnreferenced(store: Store): Promise<Since> {
  const bytes = await store.read(documentName);
  if (bytes === null) return {};
  return parsed(unreferencedPacks, { store, name: documentName, bytes }).since;
}

/** Releases of `to` that were removed from `from`, and that no pointer names. */
async function supersededReleases({
  from,
  to,
  state,
}: Omit<Route, 'scratch'> & { state: StoreState }): Promise<string[]> {
  const staying = new Set([...(await listStoredReleases(from)), ...namedIn(state.slices, state.current)]);
  return (await listStoredReleases(to)).filter((release) => !staying.has(release));
}

/** Gives releases of `to` the packs they have in `from`, where prune wrote some again. */
async function layOutAnew({
  from,
  to,
  known,
  scratch,
  assertHeld,
}: Route & HeldRight & { known: Set<string> }): Promise<void> {
  for (const release of await listStoredReleases(to)) {
    const name = storeNames.packs(release);
    const [there, wanted] = [await to.read(name), await from.read(name)];
    if (there === null || wanted === null || there.equals(wanted)) continue;
    const { packs } = parsed(releasePacks, { store: from, name, bytes: wanted });
    for (const pack of packs.filter((one) => !known.has(one))) {
      await copyPack({ from, to, pack, scratch, isNeeded: () => assertHeld().then(() => false) });
      known.add(pack);
    }
    await replaceChanged(to, { name, bytes: wanted, assertHeld });
  }
}

/** Packs that some release of a store draws on. @throws IssuerError when one cannot be read: then nothing is removed */
async function referencedPacks(store: Store): Promise<ReadonlySet<string>> {
  const needed = new Set<string>();
  for (const release of await listStoredReleases(store)) {
    const name = storeNames.packs(release);
    const bytes = await store.read(name);
    if (bytes === null) continue;
    for (const pack of parsed(releasePacks, { store, name, bytes }).packs) needed.add(pack);
  }
  return needed;
}

/** Packs of which a file lies there, whole or not. */
async function packFiles(store: Store): Promise<ReadonlySet<string>> {
  const names = (await store.list('packs/')).flatMap((file) => /^(.*)\.(pack|idx)$/.exec(file)?.[1] ?? []);
  return new Set(names.filter((name) => packName.safeParse(name).success));
}
