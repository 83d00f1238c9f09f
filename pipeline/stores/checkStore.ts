import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { promotedSlices, type SliceIndex } from '../../data/contract/release/releaseFiles.ts';
import { objectReader } from '../../data/store/objectReader.ts';
import { packLibrary } from '../../data/store/packLibrary.ts';
import { packName, storeNames } from '../../data/store/storeFiles.ts';
import type { Store } from '../../data/store/storePort.ts';
import type { Marking } from '../release/reachable.ts';
import { reachable } from '../release/reachable.ts';
import type { StoreCheck } from '../release/storeTexts.ts';
import type { Trusted } from '../release/verifyRelease.ts';
import { manifestProblems, objectFindings } from '../release/verifyRelease.ts';
import { blockReads } from './blockReads.ts';
import type { StoredRelease } from './storedDocuments.ts';
import { listStoredReleases, readStoredRelease, readStoreState } from './storedDocuments.ts';

/**
 * Reads a whole store where it lies (STORE ST6): the signature of every release, every object that one of them needs,
 * each once, and what the packs hold beside that.
 *
 * @throws IssuerError as the store does, when it does not answer
 */
export async function checkStore({
  store,
  publicKeys,
  stopIfAsked,
}: Trusted & { store: Store; stopIfAsked: () => void }): Promise<StoreCheck> {
  const library = packLibrary(blockReads(store));
  const marks = reachable();
  const totals = { releases: 0, objects: 0, bytes: 0 };
  const pointers = await pointersOf(store);
  const listed = await listStoredReleases(store);
  const problems: string[] = [];
  for (const name of listed) {
    stopIfAsked();
    const told = (what: string) => problems.push(`${name}: ${what}`);
    try {
      const found = await readStoredRelease(store, name);
      // what a copy that died left without a manifest is no release yet; where it answers, it is a damaged one
      if (found === null && !pointers.promoted.includes(name)) continue;
      totals.releases += 1;
      if (found === null) {
        told('it is promoted and not whole');
        continue;
      }
      const read = await checkRelease({ store, library, marks, name, publicKeys, found });
      totals.objects += read.objects;
      totals.bytes += read.bytes;
      read.problems.forEach(told);
    } catch (error) {
      if (!isOfTheRelease(error)) throw error;
      totals.releases += 1;
      told(error.message);
    }
  }
  const gone = pointers.promoted.filter((name) => !listed.includes(name));
  problems.push(...gone.map((name) => `${name} is promoted and not there`), ...pointers.problems);
  return { ...totals, ...(await checkPacks({ store, library, marks, stopIfAsked })), problems };
}

type Pointers = { readonly promoted: readonly string[]; readonly problems: readonly string[] };

async function pointersOf(store: Store): Promise<Pointers> {
  try {
    const { current, slices } = await readStoreState(store);
    const promoted = Object.values(promotedSlices(slices satisfies SliceIndex));
    return { promoted: [...new Set([...(current === null ? [] : [current]), ...promoted])], problems: [] };
  } catch (error) {
    if (!isOfTheRelease(error)) throw error;
    return { promoted: [], problems: [error.message] };
  }
}

/** What is damaged is reported; a store that does not answer ends the check. */
function isOfTheRelease(error: unknown): error is IssuerError {
  return error instanceof IssuerError && error.code === 'validation_failed';
}

async function checkRelease({
  store,
  library,
  marks,
  name,
  publicKeys,
  found: { manifest, packs },
}: Trusted & Marking & { store: Store; name: string; found: StoredRelease }): Promise<{
  objects: number;
  bytes: number;
  problems: string[];
}> {
  const again = async () => (await readStoredRelease(store, name))?.packs ?? packs;
  const objects = objectReader({ library, packs, again });
  const read = { objects: 0, bytes: 0, problems: manifestProblems(manifest, { name, publicKeys }) };
  for (const entry of manifest.artifacts) {
    const place = await objects.place(entry).catch(unlessAway);
    const index = place === null ? null : await library.index(place.pack);
    const isKnown =
      place !== null && index !== null && !marks.mark(place.pack, { index, sha256: entry.sha256 });
    if (isKnown) continue;
    read.objects += 1;
    read.bytes += entry.bytes;
    const found = await objectFindings(entry, { objects });
    read.problems.push(...found.problems.map((problem) => `${entry.key}${problem}`));
  }
  return read;
}

function unlessAway(error: unknown): null {
  if (error instanceof IssuerError) throw error;
  return null;
}

async function checkPacks({
  store,
  library,
  marks,
  stopIfAsked,
}: Marking & { store: Store; stopIfAsked: () => void }): Promise<
  Pick<StoreCheck, 'packs' | 'unreachable_bytes' | 'duplicate_objects'>
> {
  const files = (await store.list('packs/')).flatMap((file) => /^(.*)\.(pack|idx)$/.exec(file)?.[1] ?? []);
  const packs = [...new Set(files)].filter((name) => packName.safeParse(name).success).sort();
  let unreachable = 0;
  const hashes: number[][] = [];
  for (const pack of packs) {
    stopIfAsked();
    const index = await library.index(pack).catch(unlessAway);
    if (index === null) {
      // where a release needs it, its artifacts are named among the problems
      unreachable += (await store.read(storeNames.pack(pack)))?.length ?? 0;
      continue;
    }
    unreachable += index.packLength - marks.liveBytes(pack, index);
    // 48 bits tell objects apart well enough to count them
    hashes.push(Array.from(index.all(), ({ sha256 }) => Number.parseInt(sha256.slice(0, 12), 16)));
  }
  return { packs: packs.length, unreachable_bytes: unreachable, duplicate_objects: repeated(hashes) };
}

function repeated(groups: readonly (readonly number[])[]): number {
  const all = new Float64Array(groups.reduce((sum, group) => sum + group.length, 0));
  let at = 0;
  for (const group of groups) {
    all.set(group, at);
    at += group.length;
  }
  all.sort();
  let count = 0;
  for (let i = 1; i < all.length; i += 1) if (all[i] === all[i - 1]) count += 1;
  return count;
}
