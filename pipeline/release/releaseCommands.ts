import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isBackfilled,
  promotedSlices,
  type Withdrawal,
  withdrawalsOf,
} from '../../data/contract/release/releaseFiles.ts';
import type { OwnStore, ReleasePaths } from '../dataLayout.ts';
import { promoteRelease } from './promoteRelease.ts';
import type { NamedRelease } from './releaseStore.ts';
import { listReleaseNames, readCurrent, readManifest, readSliceIndex, releaseParts } from './releaseStore.ts';
import type { Trusted } from './verifyRelease.ts';
import { verifyRelease } from './verifyRelease.ts';

export type ListedRelease = {
  readonly release: string;
  readonly current: boolean;
  readonly promoted: boolean;
  /** Why and since when it answers for nothing any more; null when it was not withdrawn. */
  readonly withdrawn: Withdrawal | null;
  readonly generated_at: string;
  readonly slice_status: string;
  readonly kind: string;
  readonly artifacts: number;
  readonly built_at: string;
};

/** Every complete build of the store, oldest first. */
export async function listReleases(paths: ReleasePaths): Promise<ListedRelease[]> {
  const current = await readCurrent(paths);
  const index = await readSliceIndex(paths);
  const promoted = new Set(Object.values(promotedSlices(index)));
  const withdrawals = Object.keys(index).flatMap((date) => withdrawalsOf(index, date));
  const rows: ListedRelease[] = [];
  for (const release of await listReleaseNames(paths)) {
    const { manifest } = await readManifest(paths, release);
    const { mtime } = await stat(join(paths.releases, release, 'manifest.json'));
    rows.push({
      release,
      current: release === current,
      promoted: promoted.has(release),
      withdrawn: promoted.has(release)
        ? null
        : (withdrawals.findLast((withdrawal) => withdrawal.release === release) ?? null),
      generated_at: manifest.generated_at,
      slice_status: manifest.slice_status,
      kind: manifest.inputs['rollback_of'] === undefined ? (manifest.inputs['slice'] ?? 'full') : 'rollback',
      artifacts: manifest.artifact_count,
      built_at: mtime.toISOString(),
    });
  }
  return rows;
}

/**
 * Verifies a build and makes it the promoted one of its date; `current` follows unless it names a newer date or
 * the build is a backfill (I3.28). Going back to an older date is what rollback is for.
 *
 * @returns whether `current` moved
 */
export async function promoteByHand({
  paths,
  name,
  publicKeys,
  files,
}: NamedRelease & OwnStore & Trusted): Promise<{ release: string; current: string | null; moved: boolean }> {
  await readManifest(paths, name);
  const { manifest } = await verifyRelease({ paths, name, publicKeys });
  const current = await readCurrent(paths);
  const older = current !== null && manifest.source_date < releaseParts(current).sourceDate;
  const moved = !older && !isBackfilled(manifest);
  await promoteRelease({ paths, name, moveCurrent: moved, files });
  return { release: name, current: moved ? name : current, moved };
}
