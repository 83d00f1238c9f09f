import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

// The one way a file gets its place: written beside it, synced, renamed over it, the directory synced. A reader sees
// the old bytes or the new ones, and what was replaced stays so after a power cut.

/** The steps of a replacement; the nights bring their own, so that a test can fail or kill at each of them. */
export type ReplacingFiles = {
  /** Creates or truncates; `sync` waits until the bytes are on the disk. */
  write(path: string, bytes: Uint8Array | string, o: { mode?: number; sync: true }): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Makes renames and new names inside the directory durable. */
  syncDirectory(path: string): Promise<void>;
  /** Absent is fine. */
  remove(path: string): Promise<void>;
};

/** What a replacement writes, and where. */
export type Replacement = {
  readonly path: string;
  readonly bytes: Uint8Array | string;
  readonly mode?: number;
};

/**
 * A name beside a path that a person gave: what else may lie there is hers, so the name has a random part. In folders of
 * our own `<path>.partial` is enough, and a run that was killed is cleaned up after.
 */
export function nameBeside(path: string, what: 'partial' | 'before'): string {
  return `${path}.${randomBytes(6).toString('hex')}.${what}`;
}

/**
 * Replaces a file by way of `partial`, which is the writer's own where several may write one path. A failure leaves the old
 * file and no other.
 */
export async function replaceFile({
  path,
  bytes,
  mode,
  files,
  partial = `${path}.partial`,
}: Replacement & { readonly files: ReplacingFiles; readonly partial?: string }): Promise<void> {
  try {
    await files.write(partial, bytes, { sync: true, ...(mode === undefined ? {} : { mode }) });
    await files.rename(partial, path);
  } catch (error) {
    await files.remove(partial).catch(() => undefined);
    throw error;
  }
  await files.syncDirectory(dirname(path));
}

/** Gives a finished, synced file or folder its name; within one file system. */
export async function moveInto({
  from,
  to,
  files,
}: {
  readonly from: string;
  readonly to: string;
  readonly files: Pick<ReplacingFiles, 'rename' | 'syncDirectory'>;
}): Promise<void> {
  await files.rename(from, to);
  await files.syncDirectory(dirname(to));
}

/** Like `replaceFile` for a caller that cannot wait; `partial` is its own where several processes write one path. */
export function replaceFileSync({
  path,
  bytes,
  mode,
  partial = `${path}.partial`,
}: Replacement & { readonly partial?: string }): void {
  try {
    const file = openSync(partial, 'w', mode);
    try {
      writeFileSync(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
  syncDirectorySync(dirname(path));
}

/** Like `moveInto` for a caller that cannot wait. */
export function moveIntoSync({ from, to }: { readonly from: string; readonly to: string }): void {
  renameSync(from, to);
  syncDirectorySync(dirname(to));
}

/** Makes what was renamed or created inside a directory durable. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function syncDirectorySync(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/** The steps on the real file system. */
export const diskFiles: ReplacingFiles = {
  async write(path, bytes, { mode }) {
    const handle = await open(path, 'w', mode);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  rename,
  syncDirectory,
  remove: (path) => rm(path, { force: true }),
};
