import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { promotedSlices, withdrawalsOf } from '../../data/contract/release/releaseFiles.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { PackIndex } from '../../data/store/packIndex.ts';
import type { PackLibrary } from '../../data/store/packLibrary.ts';
import { packName, storeNames } from '../../data/store/storeFiles.ts';
import type { OwnStore } from '../dataLayout.ts';
import { inStore, type ReleasePaths } from '../dataLayout.ts';
import type { FileEffects } from '../effects.ts';
import { storePacks } from './openRelease.ts';
import { openPackWriter } from './packWriter.ts';
import type { Marking } from './reachable.ts';
import { markRelease, reachable, readReleasePacks } from './reachable.ts';
import { listReleaseNames, parsedFile, readCurrent, readSliceIndex, releaseParts } from './releaseStore.ts';
import { removeStaged } from './storeLayout.ts';
import { isWholePack, packReader, readWholeObject } from './wholePack.ts';

const replayWindowMs = 7 * 86_400_000;

/** What prune removed, or would remove. */
export type Pruned = Swept & {
  /** Builds that answered for nothing any more. */
  readonly builds: readonly string[];
};

/**
 * Removes builds that were superseded longer ago than the replay window of 7 days (I3.24), then the packs that no release
 * needs any more (STORE ST5). The promoted release of a date and one that was withdrawn always stay (I3.25, I3.28), and
 * so does the newest build of a date, because its number must not come again.
 *
 * @param all counts what is needed of every pack, not only of those the removed builds drew on
 * @param dryRun says what would go and removes nothing
 * @throws IssuerError `validation_failed` when a release cannot be read: then no pack is removed
 */
export async function pruneReleases({
  paths,
  now,
  files,
  all = false,
  dryRun = false,
}: OwnStore & { now: Date; all?: boolean; dryRun?: boolean }): Promise<Pruned> {
  const names = await listReleaseNames(paths);
  const builds = await supersededBuilds({ paths, names, now });
  const gone = new Set(builds);
  const staying = names.filter((name) => !gone.has(name));
  const judged = judgedPacksOf(paths, files);
  const known = await judged.read();
  const suspects = new Set((await ownerless(paths, staying)).filter((pack) => !known.has(pack)));
  for (const name of builds) {
    const { packs } = await readReleasePacks(paths, name).catch(() => ({ packs: [] }));
    for (const pack of packs) suspects.add(pack);
  }
  if (!dryRun) {
    await removeStaged(paths, files);
    for (const name of builds) {
      const directory = join(paths.releases, name);
      // out of sight first, so that a crash leaves no build with missing files
      await files.rename(directory, `${directory}.partial`);
      await files.remove(`${directory}.partial`);
    }
  }
  // a night that removes nothing need not look at every release
  if (!all && suspects.size === 0) return { builds, removed: [], rewritten: [], freedBytes: 0 };
  const swept = await sweepPacks({
    paths,
    releases: staying,
    suspects: all ? null : suspects,
    files,
    dryRun,
  });
  if (!dryRun) await judged.write(await ownerless(paths, staying));
  return { builds, ...swept };
}

async function supersededBuilds({
  paths,
  names,
  now,
}: {
  paths: ReleasePaths;
  names: readonly string[];
  now: Date;
}): Promise<string[]> {
  const index = await readSliceIndex(paths);
  const withdrawn = Object.keys(index).flatMap((date) =>
    withdrawalsOf(index, date).map(({ release }) => release),
  );
  const kept = new Set([...Object.values(promotedSlices(index)), ...withdrawn, await readCurrent(paths)]);
  const superseded: string[] = [];
  for (const [i, name] of names.entries()) {
    const successor = names[i + 1];
    const sourceDate = (n: string) => releaseParts(n).sourceDate;
    const newest = successor === undefined || sourceDate(successor) !== sourceDate(name);
    if (newest || kept.has(name)) continue;
    // superseded when the next build of its date was made; of one that lost its manifest it is not known when that was
    const made = await stat(join(paths.releases, successor, 'manifest.json')).catch(() => null);
    if (made === null) continue;
    const { mtimeMs } = made;
    if (now.getTime() - mtimeMs > replayWindowMs) superseded.push(name);
  }
  return superseded;
}

/** Packs whose release is not there: of a publication that died, or of a build that was removed. */
async function ownerless(paths: ReleasePaths, releases: readonly string[]): Promise<string[]> {
  const known = new Set(releases);
  return (await listPacks(paths)).filter((pack) => !known.has(/^[\d-]{10}\.\d+/.exec(pack)?.[0] ?? ''));
}

const judgedPacks = z.strictObject({ schema_id: z.literal('judged_packs.v1'), packs: z.array(packName) });

/**
 * `judged.json`: packs whose own release is gone, and that a sweep left because other releases need them (STORE ST5).
 * Nothing but the removal of a release changes that, and what a removed release drew on is judged again then; so a night
 * that removes nothing does not read where the objects of all releases lie. It only saves work.
 */
function judgedPacksOf(
  { root }: ReleasePaths,
  files: FileEffects,
): { read(): Promise<ReadonlySet<string>>; write(packs: readonly string[]): Promise<void> } {
  const path = join(root, 'judged.json');
  const read = async () => new Set((await parsedFile(judgedPacks, path).catch(() => null))?.packs ?? []);
  return {
    read,
    async write(packs) {
      const known = await read();
      if (known.size === packs.length && packs.every((pack) => known.has(pack))) return;
      const bytes = canonicalJson({ schema_id: 'judged_packs.v1', packs: [...packs] });
      await replaceFile({ files, path, bytes });
    },
  };
}

/** What sweeping the packs did, or would do. */
type Swept = {
  /** Packs of which no release needs anything. */
  readonly removed: readonly string[];
  /** Packs of which less than half was needed, written again with that. */
  readonly rewritten: readonly { readonly from: string; readonly to: string }[];
  readonly freedBytes: number;
};

/**
 * Mark and sweep (STORE ST5): a pack without a live object goes, one that is less than half alive is written again from
 * what is alive. Where objects lie is changed release by release before the old pack goes, so that a reader finds an
 * object at any moment; one that reads from a pack being removed finishes.
 *
 * @param releases every release that stays
 * @param suspects packs whose objects are counted; null counts those of all
 * @throws IssuerError `validation_failed` when a release cannot be read: then nothing is removed
 */
async function sweepPacks({
  paths,
  releases,
  suspects,
  files,
  dryRun,
}: OwnStore & {
  releases: readonly string[];
  suspects: ReadonlySet<string> | null;
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
async function listPacks(paths: ReleasePaths): Promise<string[]> {
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
}: OwnStore &
  Marking & { from: string; to: string; users: readonly string[]; index: PackIndex }): Promise<boolean> {
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

async function removePack({ paths, pack, files }: OwnStore & { pack: string }): Promise<void> {
  await files.remove(inStore(paths, storeNames.index(pack)));
  await files.remove(inStore(paths, storeNames.pack(pack)));
}

/** The next free name for what is left of a pack. */
function nameAfter(pack: string, taken: readonly string[]): string {
  const base = pack.replace(/-c\d+$/, '');
  for (let n = 1; ; n += 1) if (!taken.includes(`${base}-c${n}`)) return `${base}-c${n}`;
}
