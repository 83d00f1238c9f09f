import { stat } from 'node:fs/promises';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { storeNames } from '../../data/store/storeFiles.ts';
import { inStore, type ReleasePaths } from '../dataLayout.ts';
import { readReleasePacks } from './reachable.ts';
import { compareReleases, readSlices, standingCurrent } from './releaseStore.ts';
import { verifyRelease } from './verifyRelease.ts';

/** A promoted release that does not stand, and what is wrong with it. */
export type DamagedRelease = { readonly release: string; readonly why: string };

/**
 * The promoted releases that do not stand, oldest first. The current one is read as far as it was written by its own
 * night, of the others only whether their documents are there: what is wrong inside an older one shows when it is needed
 * (STORE ST20).
 *
 * @param publicKeys base64 keys a signature may come from; null accepts the one inside
 * @throws IssuerError `validation_failed` when `slices.json` is damaged
 */
export async function damagedReleases(
  paths: ReleasePaths,
  publicKeys: readonly string[] | null,
): Promise<DamagedRelease[]> {
  const current = await standingCurrent(paths);
  const damaged: DamagedRelease[] = [];
  for (const release of Object.values(await readSlices(paths)).sort(compareReleases)) {
    const why =
      (await lackingDocument(paths, release)) ??
      (release === current ? await releaseDamage({ paths, release, publicKeys }) : null);
    if (why !== null) damaged.push({ release, why });
  }
  return damaged;
}

/** What is wrong with a release, objects of older packs only looked up; null when it stands. */
export async function releaseDamage({
  paths,
  release,
  publicKeys,
}: {
  paths: ReleasePaths;
  release: string;
  publicKeys: readonly string[] | null;
}): Promise<string | null> {
  try {
    const [written = ''] = (await readReleasePacks(paths, release)).packs;
    await verifyRelease({ paths, name: release, publicKeys, written });
    return null;
  } catch (error) {
    if (error instanceof IssuerError) return damageIn(error, paths);
    throw error;
  }
}

/** The document of a release that is missing or empty. */
export async function lackingDocument(paths: ReleasePaths, release: string): Promise<string | null> {
  for (const name of [storeNames.manifest(release), storeNames.packs(release)]) {
    const found = await stat(inStore(paths, name)).catch(() => null);
    if (found === null) return `${name} is missing`;
    if (found.size === 0) return `${name} is empty`;
  }
  return null;
}

/** What an error says of damage, as it stands inside a sentence. */
export function damageIn({ message }: IssuerError, { root }: ReleasePaths): string {
  return message.replaceAll(`${root}/`, '').replace(/\.$/, '');
}
