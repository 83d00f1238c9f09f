import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import type { CheckReport } from '../../port/books.ts';
import { booksCheck } from '../../reads/booksCheck.ts';
import { backupLedger } from '../copy/backupLedger.ts';
import { nameStamp } from '../copy/ledgerCopy.ts';
import { stepRunner } from '../runSteps.ts';
import { applyAdditions, applyAliases, ledgerVersion } from '../schema/applySchema.ts';
import { databaseErrorCode, noLedger } from '../schema/databaseError.ts';
import { lawfulSchema, type SchemaPart, schemaParts } from '../schema/lawfulSchema.ts';
import { openDatabase } from '../schema/openDatabase.ts';
import { schemaInForce } from '../schema/schemaInForce.ts';
import { keyedInVersionOne, type OlderVersion, schemaVersion } from '../schema/schemaVersion.ts';

/** What an upgrade did. */
export type UpgradedLedger =
  | { readonly upgraded: false }
  | {
      readonly upgraded: true;
      readonly from: OlderVersion;
      /** The ledger as it was, proven. */
      readonly backup: string;
      readonly newestEvent: number;
      /** Of the upgraded ledger. */
      readonly books: CheckReport;
    };

/**
 * Rebuilds a ledger of an older schema version (P8.13): a backup, then one transaction that copies the rows, compares
 * them and checks the books. The ledger is held alone from the first read to the end, so no process starts between, and
 * one that is killed leaves the old ledger or the new one. A ledger of this version is left as it is.
 *
 * @throws IssuerError `input_missing` without a ledger, `locked` while it is in use, `configuration` when its version
 * is not known, `usage` when the backup's name is taken, `validation_failed` when the ledger is damaged,
 * `store_unwritable` when the disk refuses.
 */
export async function upgradeLedger({
  path,
  backup,
  nowMs,
}: {
  path: string;
  /** File for the backup; null puts it beside the ledger. */
  backup: string | null;
  nowMs: number;
}): Promise<UpgradedLedger> {
  // a start that was cut off leaves an empty file
  if (!existsSync(path) || statSync(path).size === 0) throw noLedger(path);
  const database = openDatabase({ path, mode: 'alone' });
  try {
    const from = ledgerVersion(database);
    if (from === 'empty') throw noLedger(path);
    if (from === schemaVersion) return { upgraded: false };
    const to = backup ?? `${path}.version-${from}-${nameStamp(nowMs)}`;
    const { newestEvent } = await backupLedger({ path, open: database, to, nowMs });
    const books = rebuilt(database, { path, nowMs });
    return { upgraded: true, from, backup: to, newestEvent, books };
  } finally {
    // as the last connection it writes the log back into the file
    database.close();
  }
}

function rebuilt(database: DatabaseSync, { path, nowMs }: { path: string; nowMs: number }): CheckReport {
  // tables are replaced, not rows: what refers to them is proven before the commit
  database.exec('PRAGMA foreign_keys = OFF');
  database.exec('BEGIN IMMEDIATE');
  try {
    applyAdditions(database);
    rebuildTables(database);
    applyAliases(database);
    const note = database.prepare('INSERT OR REPLACE INTO ledger_meta (key, value) VALUES (?, ?)');
    note.run('schema_version', schemaVersion);
    note.run('upgraded_ms', String(nowMs));
    const lost = database.prepare('PRAGMA foreign_key_check').get();
    if (lost !== undefined) throw damaged(path, lost);
    const books = stepRunner(database)(booksCheck(schemaInForce(database)), nowMs);
    database.exec('COMMIT');
    return books;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw databaseErrorCode(error) === null ? error : refusedWrite(path, error);
  }
}

function damaged(path: string, cause: unknown): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The ledger ${path} cannot be upgraded: a row refers to one that is missing.`,
    hint: 'The ledger was left as it was; restore a backup whose books balance.',
    cause,
  });
}

function refusedWrite(path: string, cause: unknown): IssuerError {
  return new IssuerError({
    code: 'store_unwritable',
    message: `The ledger ${path} cannot be upgraded: ${cause instanceof Error ? cause.message : 'unknown'}.`,
    hint: 'The ledger was left as it was. An upgrade needs free space for about twice its size; then repeat it.',
    cause,
  });
}

/**
 * Copies payments and receipts into tables of today's text and drops the former ones, inside the transaction that is
 * open and with foreign keys off. Indexes and triggers are put back as they were found, also where they are not those
 * of this program: a ledger that has lost a rule is not repaired unseen.
 *
 * @throws IssuerError `validation_failed` when a row would be lost or changed.
 */
function rebuildTables(database: DatabaseSync): void {
  const around = schemaParts(database).filter(
    (part) => part.type !== 'table' && keyedInVersionOne.has(part.table),
  );
  // the names other tables refer to by their foreign keys stay, and become those of the new tables
  database.exec(`PRAGMA legacy_alter_table = ON;
    ALTER TABLE payments RENAME TO payments_former;
    ALTER TABLE receipts RENAME TO receipts_former`);
  for (const part of lawfulSchema(schemaVersion)) {
    if (part.type === 'table' && keyedInVersionOne.has(part.name)) database.exec(part.sql);
  }
  // their triggers come after the rows, which were journalled once already; rows of one time lie together
  database.exec('INSERT INTO payments SELECT * FROM payments_former ORDER BY created_ms, claim_key');
  database.exec('INSERT INTO receipts SELECT * FROM receipts_former ORDER BY created_ms, receipt_id');
  refuseDifference(database);
  database.exec('DROP TABLE payments_former; DROP TABLE receipts_former');
  for (const part of inOrder(around)) database.exec(part.sql);
}

/** Each former row has its equal in the new table, and there are no others. */
function refuseDifference(database: DatabaseSync): void {
  // ordered by the key, the sides of EXCEPT are merged row by row instead of being sorted whole
  const found = database
    .prepare(
      `SELECT
        (SELECT count(*) FROM payments_former) - (SELECT count(*) FROM payments) AS payments_lost,
        (SELECT count(*) FROM (SELECT * FROM payments_former EXCEPT SELECT * FROM payments ORDER BY claim_key))
          AS payments_changed,
        (SELECT count(*) FROM receipts_former) - (SELECT count(*) FROM receipts) AS receipts_lost,
        (SELECT count(*) FROM (SELECT * FROM receipts_former EXCEPT SELECT * FROM receipts ORDER BY receipt_id))
          AS receipts_changed`,
    )
    .get();
  if (Object.values(found ?? { missing: 1 }).every((count) => count === 0)) return;
  throw new IssuerError({
    code: 'validation_failed',
    message: 'The rows of the ledger could not be copied whole.',
    hint: 'The ledger was left as it was. Run issuer-serve ledger backup and keep the copy.',
    details: { ...found },
  });
}

/** Indexes before triggers, which may use them. */
function inOrder(parts: readonly SchemaPart[]): readonly SchemaPart[] {
  return [
    ...parts.filter((part) => part.type === 'index'),
    ...parts.filter((part) => part.type === 'trigger'),
  ];
}
