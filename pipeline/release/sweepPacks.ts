import { readdir } from 'node:fs/promises';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { PackIndex } from '../../data/store/packIndex.ts';
import type { PackLibrary } from '../../data/store/packLibrary.ts';
import { packName, storeNames } from '../../data/store/storeFiles.ts';
import type { FileEffects } from '../effects.ts';
import { storePacks } from './openRelease.ts';
import { openPackWriter } from './packWriter.ts';
import { markRelease, type Reachable, reachable, readReleasePacks } from './reachable.ts';
import { inStore, type ReleasePaths } from './releasePaths.ts';
import { isWholePack, packReader, readWholeObject } from './wholePack.ts';

/** What sweeping the packs did, or would do. */
export type Swept = {
  /** Packs of which no release needs anything. */
  readonly removed: readonly string[];
  /** Packs of which less than half was needed, written anew with that. */
  readonly rewritten: readonly { readonly from: string; readonly to: string }[];
  readonly freedBytes: number;
};

/**
 * Mark and sweep (STORE ST5): a pack without a live object goes, one that is less than half alive is written anew from
 * what is alive. Where objects lie is changed release by release before the old pack goes, so that a reader finds an
 * object at any moment; one that reads from a pack being removed finishes.
 *
 * @param releases every release that stays
 * @param suspects packs whose objects are counted; null counts those of all
 * @throws IssuerError `validation_failed` when a release cannot be read: then nothing is removed
 */
export async function sweepPacks({
  paths,
  releases,
  suspects,
  files,
  dryRun,
}: {
  paths: ReleasePaths;
  releases: readonly string[];
  suspects: ReadonlySet<string> | null;
  files: FileEffects;
  dryRun: boolean;
}): Promise<Swept> {
  const lying = await listPacks(paths);
  const users = new Map<string, string[]>(lying.map((pack) => [pack, []]));
  for (const release of releases) {
    for (const pack of (await readReleasePacks(paths, release)).packs) users.get(pack)?.push(release);
  }
  const removed = lying.filter((pack) => users.get(pack)?.length === 0);
  const counted = new Set(
    lying.filter((pack) => users.get(pack)?.length !== 0 && (suspects?.has(pack) ?? true)),
  );
  const library = storePacks(paths);
  const marks = reachable();
  const concerned = new Set([...counted].flatMap((pack) => users.get(pack) ?? []));
  for (const release of concerned) await markRelease({ paths, release, wanted: counted, marks, library });

  let freedBytes = 0;
  for (const pack of removed) freedBytes += (await indexOf(library, pack))?.packLength ?? 0;
  const rewritten: { from: string; to: string }[] = [];
  for (const pack of counted) {
    const index = await indexOf(library, pack);
    if (index === null) continue;
    const live = marks.liveBytes(pack, index);
    if (live * 2 >= index.packLength) continue;
    const to = nameAfter(pack, [...lying, ...rewritten.map((one) => one.to)]);
    const rewrite = { paths, from: pack, to, users: users.get(pack) ?? [], index, marks, library, files };
    if (!dryRun && !(await rewritePack(rewrite))) continue;
    rewritten.push({ from: pack, to });
    freedBytes += index.packLength - live;
  }
  if (!dryRun) for (const pack of removed) await removePack({ paths, pack, files });
  return { removed, rewritten, freedBytes };
}

/** Names of the packs that lie in the store. */
export async function listPacks(paths: ReleasePaths): Promise<string[]> {
  const files = await readdir(paths.packs).catch(() => []);
  const names = files.flatMap((file) => /^(.*)\.(pack|idx)$/.exec(file)?.[1] ?? []);
  return [...new Set(names)].filter((name) => packName.safeParse(name).success).sort();
}

async function indexOf(library: PackLibrary, pack: string): Promise<PackIndex | null> {
  // a damaged pack is not judged: what of it is needed shows in fsck
  return library.index(pack).catch(() => null);
}

/** Says false when something of the pack is damaged; it stays as it is then. */
async function rewritePack({
  paths,
  from,
  to,
  users,
  index,
  marks,
  library,
  files,
}: {
  paths: ReleasePaths;
  from: string;
  to: string;
  users: readonly string[];
  index: PackIndex;
  marks: Reachable;
  library: PackLibrary;
  files: FileEffects;
}): Promise<boolean> {
  const writer = openPackWriter({ paths, name: to, files });
  const reader = packReader(from, library);
  let position = 0;
  for (const object of index.all()) {
    const isLive = marks.isMarked(from, position);
    position += 1;
    if (!isLive) continue;
    const stored = await readWholeObject(reader, object);
    if (stored === null) {
      await writer.discard();
      return false;
    }
    const { payload, gzip, zstd } = stored;
    await writer.add({ sha256: object.sha256, bytes: [payload], gzip, zstd });
  }
  await writer.finish({ keep: () => true });
  if (!(await isWholePack(to, library))) {
    await removePack({ paths, pack: to, files });
    return false;
  }
  for (const release of users) {
    const known = await readReleasePacks(paths, release);
    const moved = { ...known, packs: known.packs.map((pack) => (pack === from ? to : pack)) };
    const path = inStore(paths, storeNames.packs(release));
    await replaceFile({ files, path, bytes: canonicalJson(moved) });
  }
  await removePack({ paths, pack: from, files });
  return true;
}

async function removePack({
  paths,
  pack,
  files,
}: {
  paths: ReleasePaths;
  pack: string;
  files: FileEffects;
}): Promise<void> {
  await files.remove(inStore(paths, storeNames.index(pack)));
  await files.remove(inStore(paths, storeNames.pack(pack)));
}

/** The next free name for what is left of a pack. */
function nameAfter(pack: string, taken: readonly string[]): string {
  const base = pack.replace(/-c\d+$/, '');
  for (let n = 1; ; n += 1) if (!taken.includes(`${base}-c${n}`)) return `${base}-c${n}`;
}
