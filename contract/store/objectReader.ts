import type { Buffer } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type PackedCoding, type PackedObject, packedLength } from './packIndex.ts';
import type { PackLibrary } from './packLibrary.ts';
import { StoreFault } from './storeFault.ts';
import { type ReleasePacks, storeNames } from './storeFiles.ts';

/** An object as a manifest names it. */
export type ObjectName = { readonly sha256: string; readonly bytes: number };

/** The checked bytes of an object, and its stored codings where they are what was written. */
export type StoredObjectBytes = {
  readonly payload: Buffer;
  readonly gzip: Buffer | null;
  readonly zstd: Buffer | null;
};

/** Where an object lies. */
export type ObjectPlace = { readonly pack: string; readonly object: PackedObject };

/** Reads objects of one release by hash. Each of these throws a StoreFault, or the error of the read itself. */
export type ObjectReader = {
  /** The place of an object; its index says the length that the manifest says. */
  place(name: ObjectName): Promise<ObjectPlace>;
  /** The whole object, proved by its hash. */
  read(name: ObjectName): Promise<StoredObjectBytes>;
  /** Proves an object of any length by its hash, without holding it. */
  prove(name: ObjectName): Promise<void>;
  /** Bytes from `start` to before `end`, not proved: the caller proves the object or the range. */
  range(name: ObjectName, o: { readonly start: number; readonly end: number }): Promise<Buffer>;
};

const chunkLength = 1 << 20;

/**
 * Opens the objects of a release.
 *
 * @param o.packs where they lie
 * @param o.again reads `packs.json` once more when a pack is missing: prune may have written it anew
 */
export function objectReader({
  library,
  packs: known,
  again,
}: {
  library: PackLibrary;
  packs: ReleasePacks;
  again: () => Promise<ReleasePacks>;
}): ObjectReader {
  let packs = known;
  async function lookUp(name: ObjectName): Promise<ObjectPlace | null> {
    const pack = packs.packs[packs.drawn[name.sha256] ?? 0];
    if (pack === undefined) throw new StoreFault('packs.json names no pack for it');
    const index = await library.index(pack);
    if (index === null) return null;
    const object = index.find(name.sha256);
    if (object === null) throw new StoreFault(`pack ${pack} does not hold it`);
    if (object.length !== name.bytes) throw new StoreFault('its length is wrong');
    return { pack, object };
  }
  async function place(name: ObjectName): Promise<ObjectPlace> {
    const found = await lookUp(name);
    if (found !== null) return found;
    packs = await again();
    const moved = await lookUp(name);
    if (moved !== null) return moved;
    throw new StoreFault(`pack ${packs.packs[packs.drawn[name.sha256] ?? 0]} is missing`);
  }
  async function bytesAt(
    { pack, object }: ObjectPlace,
    { start, length }: { start: number; length: number },
  ): Promise<Buffer> {
    const bytes = await library.reads.read(storeNames.pack(pack), { start: object.offset + start, length });
    if (bytes === null) throw new StoreFault(`pack ${pack} is missing`);
    if (bytes.length !== length) throw new StoreFault(`pack ${pack} is cut short`);
    return bytes;
  }
  /** Runs a read again over what lies there now: a pack may have been put back, or moved by prune. */
  async function twice<T>(name: ObjectName, act: (at: ObjectPlace) => Promise<T>): Promise<T> {
    const first = await place(name);
    try {
      return await act(first);
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      library.forget(first.pack);
      return act(await place(name));
    }
  }
  return {
    place,
    read: (name) =>
      twice(name, async (at) => {
        const { object } = at;
        const bytes = await bytesAt(at, { start: 0, length: packedLength(object) });
        const payload = bytes.subarray(0, object.length);
        if (hash('sha256', payload, 'hex') !== name.sha256) throw wrongHash();
        const gzipEnd = object.length + (object.gzip?.length ?? 0);
        return {
          payload,
          gzip: coding(bytes.subarray(object.length, gzipEnd), object.gzip),
          zstd: coding(bytes.subarray(gzipEnd), object.zstd),
        };
      }),
    prove: (name) =>
      twice(name, async (at) => {
        const state = createHash('sha256');
        for (let start = 0; start < at.object.length; start += chunkLength) {
          const length = Math.min(chunkLength, at.object.length - start);
          state.update(await bytesAt(at, { start, length }));
        }
        if (state.digest('hex') !== name.sha256) throw wrongHash();
      }),
    range: (name, { start, end }) =>
      twice(name, async (at) => {
        if (start < 0 || end < start || end > at.object.length)
          throw new StoreFault('a row lies outside of it');
        return bytesAt(at, { start, length: end - start });
      }),
  };
}

// a damaged coding costs nothing but time: the answer is coded anew
function coding(bytes: Buffer, known: PackedCoding | null): Buffer | null {
  return known !== null && crc32(bytes) === known.crc32 ? bytes : null;
}

function wrongHash(): StoreFault {
  return new StoreFault('its hash is not the one in the manifest');
}
