import type { DuckDBConnection } from '@duckdb/node-api';
import { storeError } from './storeError.ts';

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
