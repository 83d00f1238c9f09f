import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files of a local replica (STORE ST15): what was read of a store, bounded by bytes. No call of it fails. */
export type ReplicaFiles = {
  /** Finds what an earlier process stored. */
  open(): Promise<void>;
  /** What is stored under a name; null when nothing is, or less than was written. */
  read(name: string): Promise<Buffer | null>;
  /** Keeps bytes, where there is room for them. */
  keep(name: string, bytes: Uint8Array): Promise<void>;
  /** Forgets one file, or with a name that ends in `/` all below it. */
  drop(name: string): Promise<void>;
  /** Files that stay while others can go: what a start without the store needs. */
  pin(names: ReadonlySet<string>): void;
  has(name: string): boolean;
  /** Bytes of the disk that are taken. */
  readonly bytes: number;
  /** Why nothing is stored at present; null while all is well. */
  readonly unkept: string | null;
};

/** Blocks of a disk: a small file takes one. */
const blockBytes = 4096;
/** After a write that failed none is tried for so long. */
const retryMs = 30_000;
/** A file that is still being written after so long was left behind by a process that was killed. */
const leftBehindMs = 3_600_000;

/**
 * A replica directory. A file is there whole or not at all (written aside, then renamed), and goes when it was not used
 * for longest; after a start the oldest packs go first. The directory, or any file of it, may be removed at any time. Several servers may share one: each bounds what it knows of.
 *
 * @param onUnkept called with the reason when nothing is stored, and with null when it is again
 */
export function replicaFiles({
  root,
  maxBytes,
  nowMs,
  onUnkept,
}: {
  root: string;
  maxBytes: number;
  nowMs(): number;
  onUnkept(why: string | null): void;
}): ReplicaFiles {
  const lengths = new Map<string, number>();
  let bytes = 0;
  let pinned: ReadonlySet<string> = new Set();
  let unkept: { readonly why: string; readonly untilMs: number } | null = null;

  const remember = (name: string, length: number): void => {
    forget(name);
    lengths.set(name, length);
    bytes += onDisk(length);
  };
  const forget = (name: string): boolean => {
    const length = lengths.get(name);
    if (length === undefined) return false;
    lengths.delete(name);
    bytes -= onDisk(length);
    return true;
  };
  const remove = async (name: string): Promise<void> => {
    if (forget(name)) await rm(join(root, name), { force: true }).catch(() => {});
  };
  /** Drops what was not used for longest until there is room; nothing where there can be none. */
  const makeRoom = async (wanted: number): Promise<void> => {
    const gone: string[] = [];
    let left = bytes;
    for (const [name, length] of lengths) {
      if (left + wanted <= maxBytes) break;
      if (pinned.has(name)) continue;
      left -= onDisk(length);
      gone.push(name);
    }
    if (left + wanted <= maxBytes) await Promise.all(gone.map(remove));
  };
  const tell = (why: string | null): void => {
    if ((unkept?.why ?? null) !== why) onUnkept(why);
    unkept = why === null ? null : { why, untilMs: nowMs() + retryMs };
  };

  return {
    async open() {
      for (const [name, length] of await filesBelow(root)) remember(name, length);
      await makeRoom(0);
    },
    get bytes() {
      return bytes;
    },
    get unkept() {
      return unkept?.why ?? null;
    },
    has: (name) => lengths.has(name),
    async read(name) {
      const length = lengths.get(name);
      if (length === undefined) return null;
      const found = await readFile(join(root, name)).catch(() => null);
      if (found?.length !== length) {
        await remove(name);
        return null;
      }
      // used last, dropped last
      if (lengths.delete(name)) lengths.set(name, length);
      return found;
    },
    async keep(name, content) {
      if (unkept !== null && nowMs() < unkept.untilMs) return;
      // what is replaced is no longer read, whether there is room for the new or not
      const replaced = forget(name);
      await makeRoom(onDisk(content.length));
      if (bytes + onDisk(content.length) > maxBytes) {
        if (replaced) await rm(join(root, name), { force: true }).catch(() => {});
        return;
      }
      // counted before it is written, so that writes beside one another stay within the bound
      remember(name, content.length);
      const why = await write(join(root, name), content);
      if (why !== null) forget(name);
      tell(why);
    },
    async drop(name) {
      const names = name.endsWith('/') ? [...lengths.keys()].filter((one) => one.startsWith(name)) : [name];
      await Promise.all(names.map(remove));
    },
    pin(names) {
      pinned = names;
    },
  };
}

function onDisk(length: number): number {
  return Math.ceil(length / blockBytes) * blockBytes;
}

/** Writes a file aside and renames it; says why when it cannot. */
async function write(path: string, content: Uint8Array): Promise<string | null> {
  const partial = `${path}.${randomBytes(6).toString('hex')}.partial`;
  const place = async (): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(partial, content);
    await rename(partial, path);
  };
  try {
    // the directory may be removed between two steps
    await place().catch((error: unknown) => (codeOf(error) === 'ENOENT' ? place() : Promise.reject(error)));
    return null;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    const code = codeOf(error);
    return code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : `it cannot be written (${code})`;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

// what has another name was put there by something else
const ownName =
  /^(packs\/[^/]+\.idx|packs\/[^/]+\.pack\/\d+-\d+|releases\/[^/]+\/\w+\.json|pointers\.json|audit\.json)/;

/** What lies below a replica directory, the oldest packs first; files left half-written are removed. */
async function filesBelow(root: string): Promise<[name: string, length: number][]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((name) => ownName.test(name))
    .sort();
  const found: [string, number][] = [];
  for (const name of names) {
    const path = join(root, name);
    const ranged = /\/\d+-(\d+)$/.exec(name)?.[1];
    // the name of a range says its length; a file that is shorter is noticed when it is read
    if (ranged !== undefined) found.push([name, Number(ranged)]);
    else {
      const known = await stat(path).catch(() => null);
      if (known === null) continue;
      if (!name.endsWith('.partial')) found.push([name, known.size]);
      else if (Date.now() - known.mtimeMs > leftBehindMs) await rm(path, { force: true }).catch(() => {});
    }
  }
  return found;
}
