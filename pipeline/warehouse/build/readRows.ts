import { readFile } from 'node:fs/promises';
import type { DuckDBConnection, DuckDBValue, JS } from '@duckdb/node-api';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';

/**
 * Runs one statement and returns its rows as plain objects.
 *
 * Who names their type selects columns of those names and types: days and instants as text, counts as INTEGER or DOUBLE.
 */
export async function readRows<Row = Record<string, JS>>(
  connection: DuckDBConnection,
  sql: string,
  values?: Record<string, DuckDBValue>,
): Promise<Row[]> {
  const result = await connection.run(sql, values);
  return (await result.getRowObjectsJS()) as Row[];
}

/** Runs writes to the build of a night together. @throws IssuerError `store_unwritable` when the disk does not take them. */
export async function inTransaction(connection: DuckDBConnection, write: () => Promise<void>): Promise<void> {
  await connection.run('BEGIN');
  try {
    await write();
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => undefined);
    throw storeError(error, 'the build of this night');
  }
}

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

const subjects = {
  warehouse: [
    'The warehouse at ',
    'Check free space and permissions of that directory, or move the run-time root with --data.',
  ],
  output: ['', 'Check that its directory is there, its free space and permissions, or name another place.'],
} as const;

/**
 * Turns a failed write of the warehouse, or of rows of it that a person wants elsewhere, into `store_unwritable`, naming
 * the path; other errors come back as they are.
 */
export function storeError(
  error: unknown,
  path: string,
  subject: keyof typeof subjects = 'warehouse',
): unknown {
  if (error instanceof IssuerError || !(error instanceof Error)) return error;
  if (/^Out of Memory Error\b/i.test(error.message)) return outOfMemory(error, path);
  const code = (error as NodeJS.ErrnoException).code;
  const ofDatabase = /^(IO|FATAL|TransactionContext|Permission) Error\b/i.test(error.message);
  if (!ofDatabase && (code === undefined || !unwritable.has(code))) return error;
  const reason = code ?? error.message.split('\n')[0];
  const [what, hint] = subjects[subject];
  return new IssuerError({
    code: 'store_unwritable',
    message: `${what}${path} cannot be written: ${reason}.`,
    hint,
    details: { path },
    cause: error,
  });
}

function outOfMemory(cause: Error, path: string): IssuerError {
  const [reason = ''] = cause.message.split('\n');
  return new IssuerError({
    code: 'store_unwritable',
    message: `The warehouse at ${path} needs more memory than a build may hold: ${reason}.`,
    hint: 'Give it more with II_BUILD_MEMORY_BYTES, 512000000 to begin with. What was published before goes on.',
    details: { path },
    cause,
  });
}

/** Reads a script of `data/sql`. */
export function readSql(name: string): Promise<string> {
  return readFile(new URL(`../../../data/sql/${name}`, import.meta.url), 'utf8');
}
