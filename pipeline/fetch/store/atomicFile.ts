import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { IssuerError } from '../../../contract/errors/issuerError.ts';

/**
 * Replaces a file as a whole: temporary name, fsync, rename, fsync of the directory. A reader or a crash
 * sees the old text or the new one. One writer a path; what a killed one left is overwritten.
 *
 * @throws IssuerError `store_unwritable`; the old file is then untouched.
 */
export async function writeFileAtomically(path: string, text: string): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw storeUnwritable(path, error);
  }
}

/** The name a file has until it is complete; always the same, so a crash leaves at most one behind. */
export function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.tmp`);
}

/** Makes a rename inside the directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

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
