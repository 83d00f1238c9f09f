import { chmod, copyFile, link, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashFile } from '../../../data/store/files/hashFile.ts';
import { diskFiles, moveInto } from '../../../data/store/files/replaceFile.ts';
import { errnoOf, ifPresent, storeUnwritable } from './storeUnwritable.ts';

/** Files named by the sha256 of their bytes; written once, read-only from then on. */
export type ContentStore = {
  path(sha256: string): string;
  /** True when the stored bytes still have this size and hash. */
  verify(o: { sha256: string; size: number }): Promise<boolean>;
  /** Moves a finished, synced file in under its hash. */
  adopt(o: { from: string; sha256: string }): Promise<void>;
  /** Makes `target` this content, by hard link or, across file systems, by copy; atomic either way. */
  linkTo(o: { sha256: string; target: string }): Promise<void>;
};

/** Opens the content store of one source, `data/raw/<source>`. */
export function contentStore(directory: string): ContentStore {
  const path = (sha256: string) => join(directory, sha256);
  return {
    path,
    async verify({ sha256, size }) {
      const found = await ifPresent(stat(path(sha256)), null);
      return found?.size === size && (await hashFile(path(sha256))) === sha256;
    },
    async adopt({ from, sha256 }) {
      try {
        await moveInto({ files: diskFiles, from, to: path(sha256) });
        await chmod(path(sha256), 0o444);
      } catch (error) {
        throw storeUnwritable(path(sha256), error);
      }
    },
    async linkTo({ target, sha256 }) {
      const temporary = `${target}.partial`;
      try {
        await mkdir(dirname(target), { recursive: true });
        await rm(temporary, { force: true });
        await linkOrCopy(path(sha256), temporary);
        await moveInto({ files: diskFiles, from: temporary, to: target });
      } catch (error) {
        throw storeUnwritable(target, error);
      } finally {
        // rename(2) between two links of one inode does nothing and leaves the temporary name
        await rm(temporary, { force: true }).catch(() => undefined);
      }
    },
  };
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== 'EXDEV' && errno !== 'EPERM' && errno !== 'EMLINK' && errno !== 'ENOTSUP') throw error;
    await copyFile(from, to);
    const copy = await open(to, 'r');
    try {
      await copy.sync();
    } finally {
      await copy.close();
    }
  }
}
