import type { Buffer } from 'node:buffer';
import { createHash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type PackedCoding, type PackedObject, packedLength } from './packIndex.ts';
import type { PackLibrary } from './packLibrary.ts';
import { type ReleasePacks, storeNames } from './storeFiles.ts';
import { type ByteRange, StoreFault } from './storeReads.ts';

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
  /** Bytes from `start` to before `end`; not proved, where no hash of the range is given. */
  range(name: ObjectName, range: ObjectRange): Promise<Buffer>;
};

/** A range of an object, and its hash where it has one. */
export type ObjectRange = { readonly start: number; readonly end: number; readonly sha256?: string };

const chunkLength = 1 << 20;

/**
 * Opens the objects of a release.
 *
 * @param packs where they lie
 * @param again reads `packs.json` once more when an object is not where it should be: prune may have rewritten it
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
  const packOf = ({ sha256 }: ObjectName): string | undefined => packs.packs[packs.drawn[sha256] ?? 0];
  async function locate(name: ObjectName): Promise<ObjectPlace> {
    const pack = packOf(name);
    if (pack === undefined) throw new StoreFault('packs.json names no pack for it');
    const index = await library.index(pack);
    if (index === null) throw new StoreFault(`pack ${pack} is missing`);
    const object = index.find(name.sha256);
    if (object === null) throw new StoreFault(`pack ${pack} does not hold it`);
    if (object.length !== name.bytes) throw new StoreFault('its length is wrong');
    return { pack, object };
  }
  async function bytesAt(at: ObjectPlace, range: ByteRange): Promise<Buffer> {
    const { pack } = at;
    const bytes = await library.reads.read(storeNames.pack(pack), inPack(at, range));
    if (bytes === null) throw new StoreFault(`pack ${pack} is missing`);
    if (bytes.length !== range.length) throw new StoreFault(`pack ${pack} is cut short`);
    return bytes;
  }
  /**
   * Runs a read over where an object lies. What was wrong may be a copy, or prune may have moved it: that is forgotten,
   * and the read runs once more over what lies there now.
   */
  async function twice<T>(
    name: ObjectName,
    act: (at: ObjectPlace) => Promise<T>,
    within = whole,
  ): Promise<T> {
    let at: ObjectPlace | null = null;
    try {
      at = await locate(name);
      return await act(at);
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      const pack = at?.pack ?? packOf(name);
      if (pack !== undefined) library.forget(pack, at === null ? undefined : inPack(at, within(at.object)));
      packs = await again();
      return act(await locate(name));
    }
  }
  return {
    place: (name) => twice(name, async (at) => at),
    read: (name) =>
      twice(name, async (at) => {
        const { object } = at;
        const bytes = await bytesAt(at, whole(object));
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
    range: (name, { start, end, sha256 }) =>
      twice(
        name,
        async (at) => {
          if (start < 0 || end < start || end > at.object.length)
            throw new StoreFault('a row lies outside of it');
          const bytes = await bytesAt(at, { start, length: end - start });
          if (sha256 !== undefined && hash('sha256', bytes, 'hex') !== sha256)
            throw new StoreFault('the hash of a range is not the one in its index');
          return bytes;
        },
        () => ({ start, length: end - start }),
      ),
  };
}

/** An object with its codings, as a range of itself. */
function whole(object: PackedObject): ByteRange {
  return { start: 0, length: packedLength(object) };
}

/** A range of an object as one of its pack. */
function inPack({ object }: ObjectPlace, { start, length }: ByteRange): ByteRange {
  return { start: object.offset + start, length };
}

// a damaged coding costs nothing but time: the answer is coded again
function coding(bytes: Buffer, known: PackedCoding | null): Buffer | null {
  return known !== null && crc32(bytes) === known.crc32 ? bytes : null;
}

function wrongHash(): StoreFault {
  return new StoreFault('its hash is not the one in the manifest');
}
