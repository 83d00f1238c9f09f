import { z } from 'zod';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { datetime } from '../../data/contract/values/primitives.ts';
import { packName, releasePacks, storeNames } from '../../data/store/storeFiles.ts';
import type { Store } from '../../data/store/storePort.ts';
import { copyPack } from './copyPack.ts';
import { namedIn, storedPacks } from './copyReleases.ts';
import { listStoredReleases, parsed, type StoreState } from './storedDocuments.ts';

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
export type SweptStore = { readonly releases: readonly string[]; readonly packs: readonly string[] };

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
}: {
  from: Store;
  to: Store;
  state: StoreState;
  scratch: string;
  now: Date;
}): Promise<SweptStore> {
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

  for (const release of gone) {
    await to.remove(storeNames.manifest(release));
    await to.remove(storeNames.packs(release));
  }
  if (!isSettled) await layOutAnew({ from, to, known, scratch });
  const needed = await referencedPacks(to);
  const files = await packFiles(to);
  const unneeded = [...files].filter((pack) => !needed.has(pack)).sort();
  const removed = unneeded.filter(isDue);
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
}: {
  from: Store;
  to: Store;
  state: StoreState;
}): Promise<string[]> {
  const staying = new Set([...(await listStoredReleases(from)), ...namedIn(state.slices, state.current)]);
  return (await listStoredReleases(to)).filter((release) => !staying.has(release));
}

/** Gives releases of `to` the packs they have in `from`, where prune wrote some again. */
async function layOutAnew({
  from,
  to,
  known,
  scratch,
}: {
  from: Store;
  to: Store;
  known: Set<string>;
  scratch: string;
}): Promise<void> {
  for (const release of await listStoredReleases(to)) {
    const name = storeNames.packs(release);
    const [there, wanted] = [await to.read(name), await from.read(name)];
    if (there === null || wanted === null || there.equals(wanted)) continue;
    const { packs } = parsed(releasePacks, { store: from, name, bytes: wanted });
    for (const pack of packs.filter((one) => !known.has(one))) {
      await copyPack({ from, to, pack, scratch, isNeeded: async () => false });
      known.add(pack);
    }
    await to.replace(name, wanted);
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
