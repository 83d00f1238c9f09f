import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import { fillTransitions } from '../../schema/transitionTable.ts';
import { type SchemaVersion, schemaVersion } from './schemaVersion.ts';

/**
 * Creates the complete schema in one transaction when the file is empty, adds aliases to one from before them, and refuses a ledger of another version
 * (P8.13). Two processes may do this at once: the write lock decides.
 *
 * @throws IssuerError `configuration` when the file holds other tables or another schema version.
 */
export function applySchema(database: DatabaseSync): 'created' | 'present' {
  database.exec('BEGIN IMMEDIATE');
  try {
    const found = checkSchema(database);
    if (found === 'empty') createFirstSchema(database);
    applyAliases(database);
    database.exec('COMMIT');
    return found === 'empty' ? 'created' : 'present';
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** The tables as they were before aliases joined them. */
export function createFirstSchema(database: DatabaseSync): void {
  database.exec(readFileSync(new URL('./ledger.sql', import.meta.url), 'utf8'));
  database.exec(fillTransitions);
  applyAdditions(database);
}

/** Adds what joined the first tables of version 1, unless it is there. */
export function applyAdditions(database: DatabaseSync): void {
  if (hasAdditions(database)) return;
  database.exec(readFileSync(new URL('./additions.sql', import.meta.url), 'utf8'));
}

/** Adds the aliases of payments (P2.46a), unless they are there. */
export function applyAliases(database: DatabaseSync): void {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'payment_aliases'").get() !== undefined)
    return;
  database.exec(readFileSync(new URL('./aliases.sql', import.meta.url), 'utf8'));
}

/** Whether a ledger states that it holds the additions; one of version 1 may be older than they are. */
export function hasAdditions(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM ledger_meta WHERE key = 'additions'").get() !== undefined;
}

/**
 * Says whether a database is empty or a ledger of this version, without writing.
 *
 * @throws IssuerError `configuration` when it holds other tables or another schema version.
 */
export function checkSchema(database: DatabaseSync): 'empty' | 'present' {
  const version = ledgerVersion(database);
  if (version === 'empty') return 'empty';
  if (version === schemaVersion) return 'present';
  throw otherVersion(
    version,
    'Stop every process that uses the ledger and run issuer-serve ledger upgrade, which makes a backup first.',
  );
}

/**
 * The schema version of a ledger, this one or an older one that can be upgraded, without writing.
 *
 * @throws IssuerError `configuration` when it holds other tables or a version this program does not know.
 */
export function ledgerVersion(database: DatabaseSync): 'empty' | SchemaVersion {
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
  if (isKnown(version)) return version;
  throw otherVersion(String(version), 'Run the version of the program that wrote the ledger, or newer.');
}

function isKnown(version: unknown): version is SchemaVersion {
  return version === '1' || version === schemaVersion;
}

function otherVersion(version: string, hint: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `The ledger has schema version ${version}; this program reads version ${schemaVersion}.`,
    hint,
    details: { found: version, expected: schemaVersion },
  });
}
