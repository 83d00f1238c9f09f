import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { type Database, openForExport, openForQuery, openForReading } from './openDatabase.ts';

/**
 * Opens the last complete build for reading; with `query`, for a question of a person, which may write its output files
 * and nothing else.
 *
 * @throws IssuerError `input_missing` when there is none or it cannot be read, `locked` while another process has it
 *   open for writing, `validation_failed` when one such process left rows beside it, `configuration` when a newer DuckDB
 *   upgraded it.
 */
export async function openWarehouse(
  path: string,
  query?: { readonly outputs: readonly string[] },
): Promise<Database> {
  if (!existsSync(path)) throw absent(path);
  const database = await opened(path, query).catch(async (error: Error) => {
    const version = await laterVersion(path).catch(() => null);
    throw version === null ? unreadable(path, error) : upgradedBuild(path, { version, cause: error });
  });
  // the database replays it for every reader, even when another build's session wrote it
  if (!existsSync(`${path}.wal`)) return database;
  database.close();
  throw foreignRows(path);
}

function opened(path: string, query?: { readonly outputs: readonly string[] }): Promise<Database> {
  if (query === undefined) return openForReading(path);
  return query.outputs.length === 0 ? openForQuery(path) : openForExport(path, query.outputs);
}

function absent(path: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `There is no warehouse to read at ${path}.`,
    hint: 'Run `issuer nightly` first, or name the run-time root with --data.',
    details: { path },
  });
}

function unreadable(path: string, error: Error): IssuerError {
  const details = { path, reason: error.message };
  if (/Could not set lock on file/.test(error.message)) {
    const holder = /Conflicting lock is held in (.+?)\. (?:However|See also)/.exec(error.message)?.[1];
    return new IssuerError({
      code: 'locked',
      message: `The warehouse at ${path} is there, but ${holder ?? 'another process'} has it open for writing.`,
      hint: 'Close it there; analysts open it read-only (`duckdb -readonly`), or work on a copy of the file.',
      details: { ...details, holder: holder ?? null },
      cause: error,
    });
  }
  return new IssuerError({
    code: 'input_missing',
    message: `The warehouse at ${path} is there, but cannot be read: ${error.message.split('\n')[0]}.`,
    hint: 'Check its permissions; where the file itself is damaged, the next `issuer nightly` builds it anew.',
    details,
    cause: error,
  });
}

function foreignRows(path: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `Another program wrote to the warehouse at ${path} and left ${path}.wal, which a query would read as ours.`,
    hint: 'Remove that file, or run `issuer nightly`, which does.',
    details: { path: `${path}.wal` },
  });
}

/** The storage version that nights write: that of `oldestReader` (https://duckdb.org/docs/internals/storage). */
const writtenVersion = 65;

/**
 * The storage version of a database file where it is a later one than nights write, so that a newer DuckDB upgraded it in
 * place; null for every other file.
 */
export async function laterVersion(path: string): Promise<number | null> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(20), 0, 20, 0);
    // a checksum of 8 bytes, four letters, the version
    if (bytesRead < 20 || buffer.toString('latin1', 8, 12) !== 'DUCK') return null;
    const version = buffer.readBigUInt64LE(12);
    return version > BigInt(writtenVersion) ? Number(version) : null;
  } finally {
    await file.close();
  }
}

/** What to do about a build that a newer DuckDB upgraded and that this program cannot read any more. */
export function upgradedBuild(
  path: string,
  { version, cause }: { version: number; cause: unknown },
): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `A newer DuckDB upgraded the warehouse at ${path} to storage version ${version}; nights write ${writtenVersion}.`,
    hint:
      'Copy the newest other file of `builds` beside it over it (`ls -t`), or remove it to begin without earlier records; then run ' +
      'again. Open warehouses with `duckdb -readonly`, or a copy.',
    details: { path, version },
    cause,
  });
}
