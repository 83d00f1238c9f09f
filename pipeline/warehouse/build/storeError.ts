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
  if (/^Out of Memory Error\b/i.test(error.message)) return outOfMemory(error, path);
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

function outOfMemory(cause: Error, path: string): IssuerError {
  const [reason = ''] = cause.message.split('\n');
  return new IssuerError({
    code: 'store_unwritable',
    message: `The warehouse at ${path} needs more memory than a build may hold: ${reason}.`,
    hint: 'No setting changes this bound: report it with the run log. What was published before goes on.',
    details: { path },
    cause,
  });
}
