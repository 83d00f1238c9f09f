import type { StoreReads } from '../../data/store/storeReads.ts';

const mostBlocks = 8;

/**
 * Reads ranges of a store in blocks that are kept for a while, so that thousands of small objects of one pack cost a few
 * requests. At most eight blocks are held, 64 MiB.
 */
export function blockReads(
  reads: StoreReads,
  { blockBytes = 8 * 1024 * 1024 }: { readonly blockBytes?: number } = {},
): StoreReads {
  const blocks = new Map<string, Promise<Buffer | null>>();
  const block = (name: string, i: number): Promise<Buffer | null> => {
    const id = `${i} ${name}`;
    const known = blocks.get(id) ?? reads.read(name, { start: i * blockBytes, length: blockBytes });
    blocks.delete(id);
    blocks.set(id, known);
    for (const oldest of blocks.keys()) {
      if (blocks.size <= mostBlocks) break;
      blocks.delete(oldest);
    }
    known.catch(() => blocks.delete(id));
    return known;
  };
  return {
    ...reads,
    async read(name, range) {
      if (range === undefined || range.length > blockBytes) return reads.read(name, range);
      const parts: Buffer[] = [];
      for (let at = range.start, end = range.start + range.length; at < end; ) {
        const i = Math.floor(at / blockBytes);
        const bytes = await block(name, i);
        if (bytes === null) return null;
        const from = at - i * blockBytes;
        const part = bytes.subarray(from, Math.min(bytes.length, from + end - at));
        parts.push(part);
        at += part.length;
        // the object ends here
        if (bytes.length < blockBytes && at >= i * blockBytes + bytes.length) break;
      }
      const [only] = parts;
      return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
    },
    forget(name) {
      for (const id of [...blocks.keys()]) if (id.endsWith(` ${name}`)) blocks.delete(id);
      reads.forget(name);
    },
  };
}
