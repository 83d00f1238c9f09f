import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import type { BookProblem } from '../../port/books.ts';
import { ledgerTables, otherVersion, problem, schemaVersion } from '../../schema/ledgerSchema.ts';
import { openDatabase } from './openDatabase.ts';

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

/**
 * Inspects a ledger file without changing it, for `check-config` (I5.51): absent (the first start creates the
 * schema), or present with the schema this program reads.
 *
 * @throws IssuerError `configuration` or `store_unwritable` when a start would be refused.
 */
export function inspectLedger(path: string): 'absent' | 'present' {
  // a start that was cut off leaves an empty file, which has no journal mode yet
  if (!existsSync(path) || statSync(path).size === 0) return 'absent';
  const database = openDatabase({ path, mode: 'read' });
  try {
    return checkSchema(database) === 'empty' ? 'absent' : 'present';
  } finally {
    database.close();
  }
}

/**
 * What of the schema a ledger file has lost: tables, indexes and triggers that are missing or read otherwise than this
 * program makes them, and triggers it does not know. The owner of the file can take a rule out of it, write past it and
 * put it back, but not leave it missing unnoticed (P8.26, S11).
 */
export function schemaInForce(database: DatabaseSync): BookProblem[] {
  const lawful = lawfulParts();
  const found = schemaParts(database);
  const lost = [...lawful].flatMap(([name, sql]) => {
    const here = found.get(name);
    if (here === sql) return [];
    return [problem(name, here === undefined ? 'missing' : 'changed')];
  });
  const foreign = [...found.keys()].filter((name) => name.startsWith('trigger ') && !lawful.has(name));
  return [...lost, ...foreign.map((name) => problem(name, 'unknown'))];
}

/** The text of each table, index and trigger by its kind and name, without those the database makes itself. */
function schemaParts(database: DatabaseSync): ReadonlyMap<string, string> {
  const parts = database
    .prepare(
      `SELECT type, name, sql FROM sqlite_schema
        WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name`,
    )
    .all();
  return new Map(parts.map(({ type, name, sql }) => [`${type} ${name}`, String(sql)]));
}

/** The schema as this program makes it. */
function lawfulParts(): ReadonlyMap<string, string> {
  const fresh = new DatabaseSync(':memory:');
  try {
    applySchema(fresh);
    return schemaParts(fresh);
  } finally {
    fresh.close();
  }
}
