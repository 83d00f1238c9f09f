import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  isBackfilled,
  promotedSlices,
  type Withdrawal,
  withdrawalsOf,
} from '../../data/contract/release/releaseFiles.ts';
import type { OwnStore, ReleasePaths } from '../dataLayout.ts';
import { promoteRelease } from './promoteRelease.ts';
import type { NamedRelease } from './releaseStore.ts';
import {
  listReleaseNames,
  readManifest,
  readSliceIndex,
  releaseParts,
  standingCurrent,
} from './releaseStore.ts';
import type { Trusted } from './verifyRelease.ts';
import { verifyRelease } from './verifyRelease.ts';

export type ListedRelease = {
  readonly release: string;
  readonly current: boolean;
  readonly promoted: boolean;
  /** Why and since when it answers for nothing any more; null when it was not withdrawn. */
  readonly withdrawn: Withdrawal | null;
  /** Why its manifest cannot be read; what it says is null then. */
  readonly damaged: string | null;
  readonly generated_at: string | null;
  readonly slice_status: string | null;
  readonly kind: string | null;
  readonly artifacts: number | null;
  readonly built_at: string | null;
};

/** Every build of the store, oldest first; one that is damaged hides no other, nor does a broken pointer. */
export async function listReleases(paths: ReleasePaths): Promise<ListedRelease[]> {
  const current = await standingCurrent(paths);
  const index = await readSliceIndex(paths);
  const promoted = new Set(Object.values(promotedSlices(index)));
  const withdrawals = Object.keys(index).flatMap((date) => withdrawalsOf(index, date));
  const rows: ListedRelease[] = [];
  for (const release of await listReleaseNames(paths)) {
    rows.push({
      release,
      current: release === current,
      promoted: promoted.has(release),
      withdrawn: promoted.has(release)
        ? null
        : (withdrawals.findLast((withdrawal) => withdrawal.release === release) ?? null),
      ...(await describe(paths, release)),
    });
  }
  return rows;
}

type Described = Omit<ListedRelease, 'release' | 'current' | 'promoted' | 'withdrawn'>;

async function describe(paths: ReleasePaths, release: string): Promise<Described> {
  try {
    const { manifest } = await readManifest(paths, release);
    const { mtime } = await stat(join(paths.releases, release, 'manifest.json'));
    const rollback = manifest.inputs['rollback_of'] !== undefined;
    return {
      damaged: null,
      generated_at: manifest.generated_at,
      slice_status: manifest.slice_status,
      kind: rollback ? 'rollback' : (manifest.inputs['slice'] ?? 'full'),
      artifacts: manifest.artifact_count,
      built_at: mtime.toISOString(),
    };
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    const none = { generated_at: null, slice_status: null, kind: null, artifacts: null, built_at: null };
    return { damaged: error.message, ...none };
  }
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
  const current = await standingCurrent(paths);
  const older = current !== null && manifest.source_date < releaseParts(current).sourceDate;
  const moved = !older && !isBackfilled(manifest);
  await promoteRelease({ paths, name, moveCurrent: moved, files });
  return { release: name, current: moved ? name : current, moved };
}
