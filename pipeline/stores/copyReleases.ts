import { rm } from 'node:fs/promises';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  promotedSlices,
  promotionNames,
  type SliceIndex,
  withdrawalsOf,
} from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { objectReader } from '../../data/store/objectReader.ts';
import { type PackLibrary, packLibrary } from '../../data/store/packLibrary.ts';
import { packName, storeLayoutNumber, storeNames } from '../../data/store/storeFiles.ts';
import type { Store } from '../../data/store/storePort.ts';
import type { StoreReads } from '../../data/store/storeReads.ts';
import type { Log } from '../effects.ts';
import type { Trusted } from '../release/verifyRelease.ts';
import {
  artifactProblems,
  manifestProblems,
  refusedRelease,
  type VerifiedRelease,
} from '../release/verifyRelease.ts';
import { blockReads } from './blockReads.ts';
import type { Route } from './copyPack.ts';
import { copyPack } from './copyPack.ts';
import type { Lease } from './postgresLease.ts';
import {
  listStoredReleases,
  readStoredRelease,
  readStoreState,
  type StoredRelease,
  type StoreState,
} from './storedDocuments.ts';

/** What was copied, or would be. */
export type Copied = {
  readonly releases: readonly string[];
  readonly packs: readonly string[];
  readonly bytes: number;
};

/** The right to write a store: throws once another publisher may; asked after what a write rests on was read. */
export type HeldRight = Pick<Lease, 'assertHeld'>;

/** How a copy runs. */
export type CopyRun = HeldRight & { readonly dryRun: boolean; readonly stopIfAsked: () => void };

/**
 * Copies what `to` lacks of the releases of `from` (STORE ST16): packs, then manifests, then the release gate reads in
 * `to` what answers from now on, then `slices.json` and `current` move. A crash at any step leaves the old releases or
 * the new ones; run again, it goes on.
 *
 * @param states what both said before; the pointers of `to` are replaced only if they still say it
 * @throws IssuerError `locked` when another publisher moved the pointers meanwhile
 */
export async function copyReleases(
  request: Route & CopyRun & Trusted & { states: Record<'from' | 'to', StoreState>; log: Log },
): Promise<Copied> {
  const { from, to, states, log, stopIfAsked } = request;
  const answering = namedIn(states.to.slices, states.to.current);
  const releases = (await listStoredReleases(from)).filter((name) => !answering.has(name));
  const there = await storedPacks(to);
  const isFresh = isPackOf(new Set(releases));
  const copied = { releases: [] as string[], packs: [] as string[], bytes: 0 };
  const isNeeded = async (pack: string) => {
    await request.assertHeld();
    return needs(to, answering, pack);
  };
  // of a publication that died, by this machine or another one; its manifest is put after its packs
  const isUnproved = async (pack: string) => {
    const owner = ownerOf(pack);
    if (!releases.includes(owner)) return false;
    const name = storeNames.manifest(owner);
    const [here, wanted] = [await to.read(name), await from.read(name)];
    return here === null || wanted === null || !here.equals(wanted);
  };
  if (!request.dryRun) await prepare(to, request.scratch);
  for (const release of releases) {
    stopIfAsked();
    const stored = await readStoredRelease(from, release);
    // staged, or being removed
    if (stored === null) continue;
    for (const pack of stored.packs.packs) {
      if (copied.packs.includes(pack) || (there.has(pack) && !(await isUnproved(pack)))) continue;
      stopIfAsked();
      copied.packs.push(pack);
      if (request.dryRun) continue;
      const bytes = await copyPack({ ...request, pack, isNeeded: () => isNeeded(pack) });
      copied.bytes += bytes;
      log({ level: 'info', step: 'copy', message: `pack ${pack}: ${bytes} bytes to ${to.address}` });
    }
    const isNew = request.dryRun
      ? (await readStoredRelease(to, release)) === null
      : await putRelease(to, { release, stored, assertHeld: request.assertHeld });
    if (isNew) copied.releases.push(release);
  }
  if (request.dryRun) return copied;
  const { current, slices } = states.from;
  const wanted = namedIn(slices, current);
  const library = packLibrary(blockReads(to));
  for (const release of releases.filter((name) => wanted.has(name))) {
    stopIfAsked();
    const isOlder = (pack: string) => !copied.packs.includes(pack) && !isFresh(pack);
    await proveStored({ store: to, library, release, isOlder, publicKeys: request.publicKeys });
    log({ level: 'info', step: 'copy', message: `release ${release} verifies in ${to.address}` });
  }
  // what says of the pointers which state they are
  const signed = await from.read(promotionNames.stored);
  const expected = (await to.pointer(promotionNames.stored))?.version ?? null;
  await request.assertHeld();
  await movePointers(to, states);
  if (signed !== null) await replaceExpected(to, promotionNames.stored, { bytes: signed, expected });
  return copied;
}

/** Every release that the pointers name, withdrawn ones too. */
export function namedIn(slices: SliceIndex, current: string | null): ReadonlySet<string> {
  const withdrawn = Object.keys(slices).flatMap((date) => withdrawalsOf(slices, date));
  return new Set([
    ...Object.values(promotedSlices(slices)),
    ...withdrawn.map(({ release }) => release),
    ...(current === null ? [] : [current]),
  ]);
}

async function prepare(to: Store, scratch: string): Promise<void> {
  await rm(scratch, { recursive: true, force: true });
  if ((await to.read(storeNames.layout)) !== null) return;
  const layout = { schema_id: 'store_layout.v1', layout: storeLayoutNumber };
  await to.put(storeNames.layout, Buffer.from(canonicalJson(layout)));
}

/** Says whether a pack was written for one of some releases. */
function isPackOf(releases: ReadonlySet<string>): (pack: string) => boolean {
  return (pack) => releases.has(ownerOf(pack));
}

/** The release a pack was written for. */
function ownerOf(pack: string): string {
  return /^[\d-]{10}\.\d+/.exec(pack)?.[0] ?? '';
}

async function needs(store: Store, releases: ReadonlySet<string>, pack: string): Promise<boolean> {
  for (const release of releases) {
    const stored = await readStoredRelease(store, release);
    if (stored?.packs.packs.includes(pack) === true) return true;
  }
  return false;
}

/** Puts the documents of a release that does not answer yet; false when they were there. */
async function putRelease(
  to: Store,
  { release, stored: { bytes }, assertHeld }: HeldRight & { release: string; stored: StoredRelease },
): Promise<boolean> {
  const documents = [
    [storeNames.packs(release), bytes.packs],
    // last: a release without a manifest is none
    [storeNames.manifest(release), bytes.manifest],
  ] as const;
  let isNew = false;
  for (const [name, wanted] of documents) {
    if ((await to.put(name, wanted)) === 'written') {
      isNew = true;
      continue;
    }
    // of a publication that died, or laid out again
    if (await replaceChanged(to, { name, bytes: wanted, assertHeld })) isNew = true;
  }
  return isNew;
}

/**
 * Dates first, so that `current` never names a release its own date does not; where `current` goes back to a release that
 * answers already, as after a withdrawal, it moves first.
 */
async function movePointers(
  to: Store,
  { from, to: before }: { readonly from: StoreState; readonly to: StoreState },
): Promise<void> {
  const slices = async () => {
    const bytes = canonicalJson(from.slices);
    if (bytes === canonicalJson(before.slices)) return;
    await replaceExpected(to, 'slices.json', { bytes, expected: before.versions.slices });
  };
  const current = async () => {
    if (from.current === before.current) return;
    // every slice was withdrawn
    if (from.current === null) return to.remove('current');
    await replaceExpected(to, 'current', { bytes: `${from.current}\n`, expected: before.versions.current });
  };
  const goesBack =
    from.current === null || Object.values(promotedSlices(before.slices)).includes(from.current);
  for (const move of goesBack ? [current, slices] : [slices, current]) await move();
}

/**
 * Replaces an object that has other bytes, unless another publisher may write the store by now, or wrote it meanwhile.
 *
 * @returns whether it had other bytes
 */
export async function replaceChanged(
  to: Store,
  { name, bytes, assertHeld }: HeldRight & { name: string; bytes: Buffer },
): Promise<boolean> {
  const there = await to.pointer(name);
  if (there?.bytes.equals(bytes) === true) return false;
  await assertHeld();
  await replaceExpected(to, name, { bytes, expected: there?.version ?? null });
  return true;
}

async function replaceExpected(
  to: Store,
  name: string,
  { bytes, expected }: { bytes: string | Uint8Array; expected: string | null },
): Promise<void> {
  const wanted = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  if ((await to.replace(name, wanted, { expected })) === 'replaced') return;
  throw new IssuerError({
    code: 'locked',
    message: `Another publisher moved ${name} of ${to.address} meanwhile.`,
    hint: 'Run again: it looks at what the other one published first.',
  });
}

/** Packs of a store that have their index, which is written last. */
export async function storedPacks(store: Pick<StoreReads, 'list'>): Promise<Set<string>> {
  const files = new Set(await store.list('packs/'));
  const names = [...files].flatMap((file) => /^(.*)\.idx$/.exec(file)?.[1] ?? []);
  return new Set(names.filter((name) => packName.safeParse(name).success && files.has(`${name}.pack`)));
}

/**
 * The release gate over a store: signature, and every object through the reader that the server uses. What lies in packs
 * of earlier publications was proved then, and is only looked up.
 *
 * @param library packs of the store, kept for several releases that share some
 * @param isOlder says so of a pack
 * @throws IssuerError `validation_failed` naming what is wrong
 */
async function proveStored({
  store,
  library,
  release,
  isOlder,
  publicKeys,
}: Trusted & {
  store: Store;
  library: PackLibrary;
  release: string;
  isOlder: (pack: string) => boolean;
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
}: Trusted & { store: Store; name: string | null }): Promise<VerifiedRelease> {
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
