import {
  encodePackIndex,
  type PackedObject,
  packedCoding,
  packedLength,
} from '../../data/store/packIndex.ts';
import { storeNames } from '../../data/store/storeFiles.ts';
import type { OwnStore } from '../dataLayout.ts';
import { inStore } from '../dataLayout.ts';

/** Bytes gathered before they are written. */
const chunkBytes = 4 * 1024 * 1024;

/** An object on its way into a pack; its bytes must not change until the pack is finished. */
export type NewObject = {
  readonly sha256: string;
  readonly bytes: readonly Uint8Array[];
  readonly gzip: Uint8Array | null;
  readonly zstd: Uint8Array | null;
};

/** A pack that is being written; it has no name until it is finished. */
export type PackWriter = {
  readonly name: string;
  has(sha256: string): boolean;
  /** Writes an object that the pack does not hold yet. */
  add(object: NewObject): Promise<void>;
  /** Syncs pack and index and gives them their names, and says whether there is one: an empty pack is not written. */
  finish(o: { readonly keep: (sha256: string) => boolean }): Promise<boolean>;
  /** Removes what was written. */
  discard(): Promise<void>;
};

/** Begins a pack, written to `*.partial` beside its place. */
export function openPackWriter({ paths, name, files }: OwnStore & { name: string }): PackWriter {
  const pack = inStore(paths, storeNames.pack(name));
  const index = inStore(paths, storeNames.index(name));
  const objects = new Map<string, PackedObject>();
  let waiting: Uint8Array[] = [];
  let waitingLength = 0;
  let packLength = 0;
  const flush = async (o?: { sync: boolean }): Promise<void> => {
    const bytes = waiting;
    // what a run that died left there is no beginning of this pack
    if (packLength === waitingLength) await files.remove(`${pack}.partial`);
    waiting = [];
    waitingLength = 0;
    await files.append(`${pack}.partial`, bytes, o);
  };
  return {
    name,
    has: (sha256) => objects.has(sha256),
    async add({ sha256, bytes, gzip, zstd }) {
      if (objects.has(sha256)) return;
      const object = {
        length: bytes.reduce((sum, part) => sum + part.length, 0),
        gzip: packedCoding(gzip),
        zstd: packedCoding(zstd),
      };
      objects.set(sha256, { sha256, offset: packLength, ...object });
      waiting.push(...bytes, ...[gzip, zstd].filter((coding) => coding !== null));
      packLength += packedLength(object);
      waitingLength += packedLength(object);
      if (waitingLength >= chunkBytes) await flush();
    },
    async finish({ keep }) {
      const kept = [...objects.values()].filter(({ sha256 }) => keep(sha256));
      if (kept.length === 0) {
        if (packLength > waitingLength) await files.remove(`${pack}.partial`);
        return false;
      }
      await flush({ sync: true });
      await files.write(`${index}.partial`, encodePackIndex({ objects: kept, packLength }), { sync: true });
      await files.rename(`${pack}.partial`, pack);
      // last: where there is an index, its pack is whole
      await files.rename(`${index}.partial`, index);
      await files.syncDirectory(paths.packs);
      return true;
    },
    async discard() {
      await files.remove(`${pack}.partial`);
      await files.remove(`${index}.partial`);
    },
  };
}
