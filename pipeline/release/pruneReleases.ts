import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promotedSlices, withdrawalsOf } from '../../data/contract/release/releaseFiles.ts';
import type { FileEffects } from '../effects.ts';
import { judgedPacksOf } from './judgedPacks.ts';
import { readReleasePacks } from './reachable.ts';
import type { ReleasePaths } from './releasePaths.ts';
import { listReleaseNames, readCurrent, readSliceIndex, releaseParts } from './releaseStore.ts';
import { removeStaged } from './storeLayout.ts';
import { listPacks, type Swept, sweepPacks } from './sweepPacks.ts';

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
}: {
  paths: ReleasePaths;
  now: Date;
  files: FileEffects;
  all?: boolean;
  dryRun?: boolean;
}): Promise<Pruned> {
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
    // superseded when the next build of its date was made; of one that lost its manifest nobody knows when that was
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
