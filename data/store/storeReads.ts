import { type Buffer, Buffer as Bytes } from 'node:buffer';
import { close, fstatSync, open, read } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Bytes of an object from `start`, `length` of them. */
export type ByteRange = { readonly start: number; readonly length: number };

/**
 * Reading a store (STORE ST14): all stored bytes come through here, from a directory as from a bucket. Names are those
 * of `storeNames`.
 */
export type StoreReads = {
  /** The bytes of an object, or of a range of it; fewer when it ends before. null when there is none of that name. */
  read(name: string, range?: ByteRange): Promise<Buffer | null>;
  /** Names below a prefix that ends in `/`, without it; none when nothing is there. */
  list(prefix: string): Promise<string[]>;
  /** Forgets what is kept of an object, or of a range of it, so that the next read sees what lies there now. */
  forget(name: string, range?: ByteRange): void;
  /** Gives up what is kept open; reads that run are finished. */
  close(): void;
};

const openFile = promisify(open);
const closeFile = promisify(close);
const readFilePart = promisify(read);

/** A file that stays open for more reads of ranges. */
type Kept = { readonly file: Promise<number>; users: number; dropped: boolean };

/**
 * Reads a store in a local directory. Files that are read in ranges stay open, at most `keepOpen` of them, those used
 * last; one that was removed meanwhile is read to the end of what has begun.
 */
export function directoryReads({ root, keepOpen }: { root: string; keepOpen: number }): StoreReads {
  const kept = new Map<string, Kept>();
  const release = async (entry: Kept): Promise<void> => {
    if (!entry.dropped || entry.users > 0) return;
    const file = await entry.file.catch(() => null);
    if (file !== null) await closeFile(file);
  };
  const drop = (name: string): void => {
    const entry = kept.get(name);
    if (entry === undefined) return;
    kept.delete(name);
    entry.dropped = true;
    void release(entry);
  };
  const use = (name: string): Kept => {
    const known = kept.get(name);
    const entry = known ?? { file: openFile(join(root, name), 'r'), users: 0, dropped: false };
    entry.users += 1;
    kept.delete(name);
    kept.set(name, entry);
    for (const oldest of kept.keys()) {
      if (kept.size <= keepOpen) break;
      drop(oldest);
    }
    return entry;
  };
  return {
    async read(name, range) {
      if (range === undefined) return whole(join(root, name));
      const entry = use(name);
      try {
        return await readFully(await entry.file, range);
      } catch (cause) {
        if (kept.get(name) === entry) drop(name);
        if (isMissing(cause)) return null;
        throw cause;
      } finally {
        entry.users -= 1;
        await release(entry);
      }
    },
    async list(prefix) {
      try {
        return await readdir(join(root, prefix));
      } catch (cause) {
        if (isMissing(cause)) return [];
        throw cause;
      }
    },
    forget: (name) => drop(name),
    close() {
      for (const name of [...kept.keys()]) drop(name);
    },
  };
}

async function whole(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw cause;
  }
}

async function readFully(file: number, { start, length: asked }: ByteRange): Promise<Buffer> {
  // a block of megabytes reaches past the end of most files: only what is there is allocated
  const length = asked < 65_536 ? asked : Math.min(asked, Math.max(0, fstatSync(file).size - start));
  const bytes = Bytes.allocUnsafeSlow(length);
  let done = 0;
  // the system may give less than was asked for
  while (done < length) {
    const { bytesRead } = await readFilePart(file, bytes, done, length - done, start + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/** Whether a read failed because nothing of that name is there. */
export function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR');
}

/** Stored bytes that cannot be relied on; the message completes "… cannot be served: ". */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}
