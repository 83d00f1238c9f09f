import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { promotedSlices } from '../../contract/release/releaseFiles.ts';
import { packLibrary } from '../../contract/store/packLibrary.ts';
import { storeNames } from '../../contract/store/storeFiles.ts';
import { directoryReads } from '../../contract/store/storeReads.ts';
import { releaseObjects } from './openRelease.ts';
import { reachable } from './reachable.ts';
import { inStore, type ReleasePaths } from './releasePaths.ts';
import { listReleaseNames, readCurrent, readManifest, readSliceIndex } from './releaseStore.ts';
import { listPacks } from './sweepPacks.ts';
import { manifestProblems, objectFindings } from './verifyRelease.ts';

/** What a whole store holds, and what is wrong with it. */
export type StoreCheck = {
  readonly releases: number;
  readonly packs: number;
  /** Objects that a release needs, each read once. */
  readonly objects: number;
  readonly bytes: number;
  /** Bytes of the packs that no release needs; `issuer release prune` frees them where they are worth it. */
  readonly unreachable_bytes: number;
  /** Objects that lie in more than one pack. */
  readonly duplicate_objects: number;
  readonly problems: readonly string[];
};

/** Packs that stay open while they are read. */
const keepOpen = 16;

/**
 * Reads a whole store (STORE ST6): the signature of every release, every object that one of them needs, each once, and
 * what the packs hold beside that.
 *
 * @param o.publicKeys base64 keys the signatures may come from; null accepts the one inside
 */
export async function checkStore({
  paths,
  publicKeys,
  stopIfAsked,
}: {
  paths: ReleasePaths;
  publicKeys: readonly string[] | null;
  stopIfAsked: () => void;
}): Promise<StoreCheck> {
  const problems: string[] = [];
  const releases = await wholeOrPromoted(paths);
  const reads = directoryReads({ root: paths.root, keepOpen });
  const library = packLibrary(reads);
  const marks = reachable();
  const totals = { objects: 0, bytes: 0 };
  try {
    for (const name of releases) {
      stopIfAsked();
      const told = (what: string) => problems.push(`${name}: ${what}`);
      try {
        const { manifest } = await readManifest(paths, name);
        for (const problem of manifestProblems(manifest, { name, publicKeys })) told(problem);
        const objects = await releaseObjects({ paths, name, library });
        for (const entry of manifest.artifacts) {
          const place = await objects.place(entry).catch(() => null);
          const index = place === null ? null : await library.index(place.pack);
          const isKnown =
            place !== null && index !== null && !marks.mark(place.pack, { index, sha256: entry.sha256 });
          if (isKnown) continue;
          totals.objects += 1;
          totals.bytes += entry.bytes;
          const found = await objectFindings(entry, { objects });
          for (const problem of found.problems) told(`${entry.key}${problem}`);
        }
      } catch (error) {
        if (!(error instanceof IssuerError)) throw error;
        told(error.message);
      }
    }
    problems.push(...(await pointerProblems(paths, releases)));
    const packs = await listPacks(paths);
    let unreachable = 0;
    const hashes: number[][] = [];
    for (const pack of packs) {
      const index = await library.index(pack).catch(() => null);
      if (index === null) {
        // where a release needs it, its artifacts are named above
        unreachable += await sizeOf(inStore(paths, storeNames.pack(pack)));
        continue;
      }
      unreachable += index.packLength - marks.liveBytes(pack, index);
      // 48 bits tell objects apart well enough to count them
      hashes.push(Array.from(index.all(), ({ sha256 }) => Number.parseInt(sha256.slice(0, 12), 16)));
    }
    return {
      releases: releases.length,
      packs: packs.length,
      ...totals,
      unreachable_bytes: unreachable,
      duplicate_objects: repeated(hashes),
      problems,
    };
  } finally {
    reads.close();
  }
}

/** What a copy that died left without a manifest is no release yet; where it answers, it is a damaged one. */
async function wholeOrPromoted(paths: ReleasePaths): Promise<string[]> {
  const index = await readSliceIndex(paths).catch(() => ({}));
  const promoted = new Set(Object.values(promotedSlices(index)));
  const isWhole = (name: string) => existsSync(inStore(paths, storeNames.manifest(name)));
  return (await listReleaseNames(paths)).filter((name) => promoted.has(name) || isWhole(name));
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}

async function pointerProblems(paths: ReleasePaths, releases: readonly string[]): Promise<string[]> {
  const known = new Set(releases);
  try {
    const current = await readCurrent(paths);
    const promoted = Object.values(promotedSlices(await readSliceIndex(paths)));
    const named = new Set([...(current === null ? [] : [current]), ...promoted]);
    return [...named].filter((name) => !known.has(name)).map((name) => `${name} is promoted and not there`);
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    return [error.message];
  }
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
