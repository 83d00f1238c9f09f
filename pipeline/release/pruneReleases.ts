import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promotedSlices, withdrawalsOf } from '../../contract/release/releaseFiles.ts';
import type { FileEffects } from '../effects.ts';
import type { ReleasePaths } from './releasePaths.ts';
import { listReleaseNames, readCurrent, readSliceIndex, releaseParts } from './releaseStore.ts';

const replayWindowMs = 7 * 86_400_000;

/**
 * Removes builds that were superseded longer ago than the replay window of 7 days (I3.24). The promoted release of a
 * date and one that was withdrawn always stay (I3.25, I3.28), and so does the newest build of a date, because its number must not come again.
 *
 * @returns names of the builds removed
 */
export async function pruneReleases({
  paths,
  now,
  files,
}: {
  paths: ReleasePaths;
  now: Date;
  files: FileEffects;
}): Promise<string[]> {
  const names = await listReleaseNames(paths);
  const index = await readSliceIndex(paths);
  const withdrawn = Object.keys(index).flatMap((date) =>
    withdrawalsOf(index, date).map(({ release }) => release),
  );
  const kept = new Set([...Object.values(promotedSlices(index)), ...withdrawn, await readCurrent(paths)]);
  const removed: string[] = [];
  for (const [i, name] of names.entries()) {
    const successor = names[i + 1];
    const sourceDate = (n: string) => releaseParts(n).sourceDate;
    const newest = successor === undefined || sourceDate(successor) !== sourceDate(name);
    if (newest || kept.has(name)) continue;
    // superseded when the next build of its date was made
    const { mtimeMs } = await stat(join(paths.releases, successor, 'manifest.json'));
    if (now.getTime() - mtimeMs <= replayWindowMs) continue;
    const directory = join(paths.releases, name);
    // out of sight first, so that a crash leaves no build with missing files
    await files.rename(directory, `${directory}.partial`);
    await files.remove(`${directory}.partial`);
    removed.push(name);
  }
  return removed;
}
