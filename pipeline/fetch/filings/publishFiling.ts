import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskFiles, moveInto } from '../../../data/store/files/replaceFile.ts';
import type { ContentStore } from '../store/contentStore.ts';
import { errnoOf, storeUnwritable } from '../store/storeUnwritable.ts';
import type { FilingRecord } from './filingRecord.ts';

type FolderFile = FilingRecord['folder'][number];
type StoredFile = { readonly name: string; readonly sha256: string };

/**
 * Makes the folder of a filing hold exactly these stored files, all of them or as before: linked beside the
 * folders, then renamed. Returns what a later look at the folder has to find.
 *
 * @throws IssuerError `store_unwritable`; a folder that was there stays, or its content stays in the store.
 */
export async function publishFiling({
  store,
  staging,
  folder,
  files,
}: {
  store: ContentStore;
  /** A name on the same file system, of no other filing. */
  staging: string;
  folder: string;
  files: readonly StoredFile[];
}): Promise<FolderFile[]> {
  const fresh = join(staging, 'new');
  const old = join(staging, 'old');
  try {
    await rm(staging, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true });
    for (const { name, sha256 } of files) await store.linkTo({ sha256, target: join(fresh, name) });
    await mkdir(dirname(folder), { recursive: true });
    // a full directory cannot be renamed over; the moment between leaves no folder, never a mixed one
    await rename(folder, old).catch((error: unknown) => {
      if (errnoOf(error) !== 'ENOENT') throw error;
    });
    await moveInto({ files: diskFiles, from: fresh, to: folder });
    await rm(staging, { recursive: true, force: true });
    return await Promise.all(files.map((file) => fingerprint(folder, file)));
  } catch (error) {
    throw storeUnwritable(folder, error);
  }
}

/** True when the folder still holds exactly the files it was left with, by name, size and time of change. */
export async function isAsPublished({
  folder,
  files,
}: {
  folder: string;
  files: readonly FolderFile[];
}): Promise<boolean> {
  try {
    const names = (await readdir(folder)).sort();
    if (
      names.join('/') !==
      files
        .map((file) => file.name)
        .sort()
        .join('/')
    )
      return false;
    for (const file of files) {
      const now = await fingerprint(folder, file);
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
