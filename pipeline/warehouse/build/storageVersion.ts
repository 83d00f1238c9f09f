import { open } from 'node:fs/promises';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';

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
