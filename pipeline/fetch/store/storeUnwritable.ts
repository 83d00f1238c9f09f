import { IssuerError } from '../../../data/contract/errors/issuerError.ts';

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
