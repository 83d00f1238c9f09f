import { access } from 'node:fs/promises';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { type Database, openForReading } from '../warehouse/build/openDatabase.ts';

/** Opens the last complete build for reading. @throws IssuerError `input_missing` when there is none. */
export async function openWarehouse(path: string): Promise<Database> {
  try {
    await access(path);
    return await openForReading(path);
  } catch (error) {
    throw new IssuerError({
      code: 'input_missing',
      message: `There is no warehouse to read at ${path}.`,
      hint: 'Run `issuer nightly` first, or name the run-time root with --data.',
      details: { path, reason: (error as Error).message },
      cause: error,
    });
  }
}
