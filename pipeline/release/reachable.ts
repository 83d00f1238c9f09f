import { type PackIndex, packedLength } from '../../data/store/packIndex.ts';
import type { PackLibrary } from '../../data/store/packLibrary.ts';
import { type ReleasePacks, releasePacks, storeNames } from '../../data/store/storeFiles.ts';
import { inStore, type ReleasePaths } from '../dataLayout.ts';
import { parsedFile, readManifest } from './releaseStore.ts';

/** What of the packs of a store its releases need, one bit an object. */
export type Reachable = {
  /** Marks an object of a pack; true the first time. */
  mark(pack: string, o: { readonly index: PackIndex; readonly sha256: string }): boolean;
  isMarked(pack: string, position: number): boolean;
  /** Bytes of the marked objects of a pack, with their codings. */
  liveBytes(pack: string, index: PackIndex): number;
};

/** A sweep over the packs of a store. */
export type Marking = { readonly library: PackLibrary; readonly marks: Reachable };

export function reachable(): Reachable {
  const bits = new Map<string, Uint8Array>();
  const isMarked = (pack: string, position: number): boolean =>
    ((bits.get(pack)?.[position >> 3] ?? 0) & (1 << (position & 7))) !== 0;
  return {
    mark(pack, { index, sha256 }) {
      const position = index.position(sha256);
      if (position < 0 || isMarked(pack, position)) return false;
      const own = bits.get(pack) ?? new Uint8Array(Math.ceil(index.count / 8));
      bits.set(pack, own);
      own[position >> 3] = (own[position >> 3] ?? 0) | (1 << (position & 7));
      return true;
    },
    isMarked,
    liveBytes(pack, index) {
      let bytes = 0;
      let position = 0;
      for (const object of index.all()) {
        if (isMarked(pack, position)) bytes += packedLength(object);
        position += 1;
      }
      return bytes;
    },
  };
}

/** Where the objects of a release lie. @throws IssuerError `validation_failed` */
export function readReleasePacks(paths: ReleasePaths, release: string): Promise<ReleasePacks> {
  return parsedFile(releasePacks, inStore(paths, storeNames.packs(release)));
}

/** Marks what one release needs of some packs. @throws IssuerError `validation_failed` when it cannot be read */
export async function markRelease({
  paths,
  release,
  wanted,
  marks,
  library,
}: Marking & { paths: ReleasePaths; release: string; wanted: ReadonlySet<string> }): Promise<void> {
  const { packs, drawn } = await readReleasePacks(paths, release);
  const { manifest } = await readManifest(paths, release);
  for (const { sha256 } of manifest.artifacts) {
    const pack = packs[drawn[sha256] ?? 0] ?? '';
    if (!wanted.has(pack)) continue;
    const index = await library.index(pack);
    if (index !== null) marks.mark(pack, { index, sha256 });
  }
}
