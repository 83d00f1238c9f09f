import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { worded } from '../../data/contract/values/instant.ts';

const hints: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some disk space and run the same command again; it resumes where it stopped.',
  EDQUOT: 'Free some of the quota and run the same command again; it resumes where it stopped.',
  EFBIG: 'The system limits how large a file may be (ulimit -f): raise that and run the same command again.',
  EACCES: 'Give this user the right to write there, or name another directory with --data.',
  EPERM: 'Give this user the right to write there, or name another directory with --data.',
  EROFS: 'The file system is read-only: name another directory with --data.',
  EISDIR: 'A directory stands where a file is needed: move it away and run the same command again.',
  ENOTDIR: 'A file stands where a directory is needed: name another directory with --data.',
};

/** The database tells of the file system in words alone. */
const words: readonly (readonly [RegExp, string])[] = [
  [/no space left on device/i, 'ENOSPC'],
  [/disk quota exceeded/i, 'EDQUOT'],
  [/read-only file system/i, 'EROFS'],
];

function errnoOf({ code, message }: NodeJS.ErrnoException): string | undefined {
  if (code !== undefined && hints[code] !== undefined) return code;
  return words.find(([word]) => word.test(message))?.[1];
}

/** What went wrong as the one error of the project; failures of the file system become `store_unwritable`. */
export function asIssuerError(error: unknown): IssuerError {
  if (error instanceof IssuerError) return error;
  const failure = error as NodeJS.ErrnoException;
  const errno = error instanceof Error ? errnoOf(failure) : undefined;
  const hint = errno === undefined ? undefined : hints[errno];
  if (errno !== undefined && hint !== undefined) {
    return new IssuerError({
      code: 'store_unwritable',
      message: `${failure.path ?? 'A file of the store'} could not be written (${errno}).`,
      hint,
      details: { errno, path: failure.path ?? null },
      cause: error,
    });
  }
  return new IssuerError({
    code: 'internal',
    message: `Something unforeseen went wrong: ${worded(error)}.`,
    hint: 'The promoted release is untouched. Run again with --json for the details, and report it.',
    details: { stack: error instanceof Error ? (error.stack ?? null) : null },
    cause: error,
  });
}
