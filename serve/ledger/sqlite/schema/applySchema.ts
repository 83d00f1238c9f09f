import type { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import { ledgerTables, otherVersion, schemaVersion } from '../../schema/ledgerSchema.ts';

/**
 * Creates the complete schema in one transaction when the file is empty, and refuses a ledger of another version
 * (P8.13). Two processes may do this at once: the write lock decides.
 *
 * @throws IssuerError `configuration` when the file has other tables or another schema version.
 */
export function applySchema(database: DatabaseSync): 'created' | 'present' {
  database.exec('BEGIN IMMEDIATE');
  try {
    const found = checkSchema(database);
    if (found === 'empty') database.exec(ledgerTables(new URL('./ledger.sql', import.meta.url)));
    database.exec('COMMIT');
    return found === 'empty' ? 'created' : 'present';
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Says whether a database is empty or a ledger of this version, without writing.
 *
 * @throws IssuerError `configuration` when it has other tables or another schema version.
 */
export function checkSchema(database: DatabaseSync): 'empty' | 'present' {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  if (tables.length === 0) return 'empty';
  if (!tables.some((table) => table['name'] === 'ledger_meta')) {
    throw new IssuerError({
      code: 'configuration',
      message: 'The ledger file has the tables of another program.',
      hint: 'Point II_LEDGER at another path; the file was left as it is.',
    });
  }
  const row = database.prepare("SELECT value FROM ledger_meta WHERE key = 'schema_version'").get();
  const version = row?.['value'];
  if (version !== schemaVersion) throw otherVersion(String(version));
  return 'present';
}
