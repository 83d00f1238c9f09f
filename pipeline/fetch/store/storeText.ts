import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { diskFiles, replaceFile } from '../../../data/store/files/replaceFile.ts';
import { storeUnwritable } from './storeUnwritable.ts';

/**
 * Replaces a text of the store as a whole, with the folders it needs; one writer a path.
 *
 * @throws IssuerError `store_unwritable`; the old file is then untouched.
 */
export async function storeText(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await replaceFile({ files: diskFiles, path, bytes: text });
  } catch (error) {
    throw storeUnwritable(path, error);
  }
}
