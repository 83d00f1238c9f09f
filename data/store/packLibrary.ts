import { decodePackIndex, type PackIndex } from './packIndex.ts';
import { storeNames } from './storeFiles.ts';
import { type ByteRange, StoreFault, type StoreReads } from './storeReads.ts';

/** The packs of a store, their indexes read once: what a pack holds never changes. */
export type PackLibrary = {
  readonly reads: StoreReads;
  /** null when there is no such pack. @throws StoreFault when its index is damaged */
  index(pack: string): Promise<PackIndex | null>;
  /** Forgets the index of a pack and what is kept of it, or of a range of it, so that what was repaired is seen. */
  forget(pack: string, range?: ByteRange): void;
};

const mostIndexBytes = 64 * 1024 * 1024;

/** @param reads the store; the caller closes it */
export function packLibrary(reads: StoreReads): PackLibrary {
  const indexes = new Map<string, { readonly index: PackIndex }>();
  const loading = new Map<string, Promise<PackIndex | null>>();
  let bytes = 0;
  const forgetIndex = (pack: string): void => {
    bytes -= indexes.get(pack)?.index.bytes ?? 0;
    indexes.delete(pack);
  };
  const readIndex = async (pack: string) => {
    const stored = await reads.read(storeNames.index(pack));
    return stored === null ? null : decodePackIndex(stored);
  };
  const load = async (pack: string): Promise<PackIndex | null> => {
    let decoded = await readIndex(pack);
    if (decoded !== null && 'fault' in decoded) {
      // what is damaged may be a copy
      reads.forget(storeNames.index(pack));
      decoded = await readIndex(pack);
    }
    if (decoded === null) return null;
    if ('fault' in decoded) throw new StoreFault(`the index of pack ${pack} is damaged: ${decoded.fault}`);
    indexes.set(pack, decoded);
    bytes += decoded.index.bytes;
    for (const oldest of indexes.keys()) {
      if (bytes <= mostIndexBytes) break;
      forgetIndex(oldest);
    }
    return decoded.index;
  };
  return {
    reads,
    async index(pack) {
      const known = indexes.get(pack);
      if (known !== undefined) {
        // used last, forgotten last
        indexes.delete(pack);
        indexes.set(pack, known);
        return known.index;
      }
      let running = loading.get(pack);
      if (running === undefined) {
        running = load(pack).finally(() => loading.delete(pack));
        loading.set(pack, running);
      }
      return running;
    },
    forget(pack, range) {
      forgetIndex(pack);
      reads.forget(storeNames.index(pack));
      reads.forget(storeNames.pack(pack), range);
    },
  };
}
