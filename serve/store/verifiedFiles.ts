import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import type { ManifestEntry } from '../../contract/release/releaseFiles.ts';
import type { StoredFile } from './artifactStore.ts';
import { unavailable, unreadable } from './unavailable.ts';

/**
 * Opens files of one release for reading in ranges. The whole file is hashed at its first use and not again: what
 * a promoted release lists is never written to (I3.24).
 */
export function verifiedFiles(directory: string): (entry: ManifestEntry) => Promise<StoredFile> {
  const checked = new Map<string, Promise<void>>();
  return async (entry) => {
    const path = join(directory, entry.key);
    let check = checked.get(entry.key);
    if (check === undefined) {
      check = checkFile(path, entry);
      checked.set(entry.key, check);
      // what failed may be repaired a moment later
      check.catch(() => checked.delete(entry.key));
    }
    await check;
    return { entry, read: (start, end) => readRange(path, entry, start, end) };
  };
}

async function checkFile(path: string, entry: ManifestEntry): Promise<void> {
  const hash = createHash('sha256');
  try {
    const { size } = await stat(path);
    if (size !== entry.bytes) throw unavailable(entry.key, 'its length is wrong');
    // the stream closes the handle
    const file = await open(path, 'r');
    for await (const chunk of file.createReadStream({ highWaterMark: 1 << 20 })) hash.update(chunk);
  } catch (cause) {
    if (cause instanceof IssuerError) throw cause;
    throw unreadable(entry.key, cause);
  }
  if (hash.digest('hex') !== entry.sha256)
    throw unavailable(entry.key, 'its hash is not the one in the manifest');
}

async function readRange(path: string, entry: ManifestEntry, start: number, end: number): Promise<Buffer> {
  if (start < 0 || end < start || end > entry.bytes) throw unavailable(entry.key, 'a row lies outside of it');
  const bytes = Buffer.alloc(end - start);
  try {
    const file = await open(path, 'r');
    try {
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
      if (bytesRead !== bytes.length) throw unavailable(entry.key, 'it ends early');
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof IssuerError) throw cause;
    throw unreadable(entry.key, cause);
  }
  return bytes;
}
