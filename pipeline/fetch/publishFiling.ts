import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf, storeUnwritable, syncDirectory } from './atomicFile.ts';
import type { ContentStore } from './contentStore.ts';
import type { FilingRecord } from './filingRecord.ts';

type FolderFile = FilingRecord['folder'][number];
type StoredFile = { readonly name: string; readonly sha256: string };

/**
 * Makes the folder of a filing hold exactly these stored files, all of them or as before: linked beside the
 * folders, then renamed. Returns what a later look at the folder has to find.
 *
 * @throws IssuerError `store_unwritable`; a folder that was there stays, or its content stays in the store.
 */
export async function publishFiling(o: {
  store: ContentStore;
  /** A name on the same file system, of no other filing. */
  staging: string;
  folder: string;
  files: readonly StoredFile[];
}): Promise<FolderFile[]> {
  const fresh = join(o.staging, 'new');
  const old = join(o.staging, 'old');
  try {
    await rm(o.staging, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true });
    for (const { name, sha256 } of o.files) await o.store.linkTo({ sha256, target: join(fresh, name) });
    await mkdir(dirname(o.folder), { recursive: true });
    // a full directory cannot be renamed over; the moment between leaves no folder, never a mixed one
    await rename(o.folder, old).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error;
    });
    await rename(fresh, o.folder);
    await syncDirectory(dirname(o.folder));
    await rm(o.staging, { recursive: true, force: true });
    return await Promise.all(o.files.map((file) => fingerprint(o.folder, file)));
  } catch (error) {
    throw storeUnwritable(o.folder, error);
  }
}

/** True when the folder still holds exactly the files it was left with, by name, size and time of change. */
export async function isAsPublished(o: { folder: string; files: readonly FolderFile[] }): Promise<boolean> {
  try {
    const names = (await readdir(o.folder)).sort();
    if (
      names.join('/') !==
      o.files
        .map((file) => file.name)
        .sort()
        .join('/')
    )
      return false;
    for (const file of o.files) {
      const now = await fingerprint(o.folder, file);
      if (now.size !== file.size || now.mtime_ms !== file.mtime_ms) return false;
    }
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}

async function fingerprint(folder: string, file: StoredFile): Promise<FolderFile> {
  const { size, mtimeMs } = await stat(join(folder, file.name));
  return { name: file.name, sha256: file.sha256, size, mtime_ms: Math.floor(mtimeMs) };
}
