import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { diskFiles, replaceFile } from '../../../data/store/files/replaceFile.ts';

/** Wraps a failed write as `store_unwritable`, naming the path; an IssuerError passes through unchanged. */
export function storeUnwritable(path: string, cause: unknown): IssuerError {
  if (cause instanceof IssuerError) return cause;
  const errno = errnoOf(cause);
  const full = errno === 'ENOSPC' || errno === 'EDQUOT' || errno === 'EFBIG';
  return new IssuerError({
    code: 'store_unwritable',
    message: `${path} could not be written (${errno ?? 'unknown error'}).`,
    hint: full
      ? 'Free disk space and run again; what was downloaded so far is kept and resumed.'
      : 'Check that the data directory exists, belongs to this user and is not read-only.',
    details: { path, errno },
    cause,
  });
}

/** The `code` of a system error, or null. */
export function errnoOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : null;
}

/** What a look at a file or folder finds; `absent` where there is none. */
export async function ifPresent<Found, Absent>(
  look: Promise<Found>,
  absent: Absent,
): Promise<Found | Absent> {
  try {
    return await look;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return absent;
    throw error;
  }
}

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
