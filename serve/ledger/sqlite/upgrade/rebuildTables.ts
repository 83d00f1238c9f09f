import type { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import { lawfulSchema, type SchemaPart, schemaParts } from '../schema/lawfulSchema.ts';
import { keyedInVersionOne, schemaVersion } from '../schema/schemaVersion.ts';

/**
 * Copies payments and receipts into tables of today's text and drops the former ones, inside the transaction that is
 * open and with foreign keys off. Indexes and triggers are put back as they were found, also where they are not those
 * of this program: a ledger that has lost a rule is not repaired unseen.
 *
 * @throws IssuerError `validation_failed` when a row would be lost or changed.
 */
export function rebuildTables(database: DatabaseSync): void {
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
