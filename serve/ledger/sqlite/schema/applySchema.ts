import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../../contract/errors/issuerError.ts';
import { fillTransitions } from '../../schema/transitionTable.ts';
import { schemaVersion } from '../../schemaVersion.ts';

/**
 * Creates the complete schema in one transaction when the file is empty, adds to an older ledger what joined its
 * version since, and refuses one of another version (P8.13). Two processes may do this at once: the write lock decides.
 *
 * @throws IssuerError `configuration` when the file holds other tables or another schema version.
 */
export function applySchema(database: DatabaseSync): 'created' | 'present' {
  database.exec('BEGIN IMMEDIATE');
  try {
    const outcome = createOrCheck(database);
    database.exec('COMMIT');
    return outcome;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function createOrCheck(database: DatabaseSync): 'created' | 'present' {
  const found = checkSchema(database);
  if (found === 'empty') {
    database.exec(readFileSync(new URL('./ledger.sql', import.meta.url), 'utf8'));
    database.exec(fillTransitions);
  }
  const added = database.prepare("SELECT 1 FROM ledger_meta WHERE key = 'additions'").get();
  if (added === undefined) database.exec(readFileSync(new URL('./additions.sql', import.meta.url), 'utf8'));
  return found === 'empty' ? 'created' : 'present';
}

/**
 * Says whether a database is empty or a ledger of this version, without writing.
 *
 * @throws IssuerError `configuration` when it holds other tables or another schema version.
 */
export function checkSchema(database: DatabaseSync): 'empty' | 'present' {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  if (tables.length === 0) return 'empty';
  if (!tables.some((table) => table['name'] === 'ledger_meta')) {
    throw new IssuerError({
      code: 'configuration',
      message: 'The ledger file holds the tables of something else.',
      hint: 'Point II_LEDGER at another path; the file was left as it is.',
    });
  }
  const row = database.prepare("SELECT value FROM ledger_meta WHERE key = 'schema_version'").get();
  const version = row?.['value'];
  if (version === schemaVersion) return 'present';
  throw new IssuerError({
    code: 'configuration',
    message: `The ledger has schema version ${String(version)}; this program reads version ${schemaVersion}.`,
    hint: 'Run the version of the program that wrote the ledger, or newer.',
  });
}
