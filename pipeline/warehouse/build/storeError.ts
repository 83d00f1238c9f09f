import { IssuerError } from '../../../data/contract/errors/issuerError.ts';

const unwritable = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EIO',
  'ENOTDIR',
  'EEXIST',
  'EMFILE',
  'ENFILE',
]);

/**
 * Turns a failed write of the warehouse into `store_unwritable`, naming the path; other errors come back as
 * they are.
 */
export function storeError(error: unknown, path: string): unknown {
  if (error instanceof IssuerError || !(error instanceof Error)) return error;
  const code = (error as NodeJS.ErrnoException).code;
  const ofDatabase = /^(IO|FATAL|TransactionContext|Permission) Error\b/i.test(error.message);
  if (!ofDatabase && (code === undefined || !unwritable.has(code))) return error;
  const reason = code ?? error.message.split('\n')[0];
  return new IssuerError({
    code: 'store_unwritable',
    message: `The warehouse at ${path} cannot be written: ${reason}.`,
    hint: 'Check free space and permissions of that directory, or move the run-time root with --data.',
    details: { path },
    cause: error,
  });
}
