import type { DatabaseSync } from 'node:sqlite';
import type { CheckReport, ExportRow } from '../../port/books.ts';
import { booksCheck } from '../../reads/booksCheck.ts';
import { exportRows } from '../../reads/exportRows.ts';
import { exportRow } from '../../rows/exportRow.ts';
import { positional } from '../runSteps.ts';
import { openDatabase } from '../schema/openDatabase.ts';
import { schemaInForce } from '../schema/schemaInForce.ts';
import { inSnapshot, readSnapshot } from './snapshot.ts';

/** Streams the export of one snapshot on a connection of its own (P8.61). */
export async function* sqliteExport({
  path,
  fromMs,
  toMs,
}: {
  path: string;
  fromMs: number;
  toMs: number;
}): AsyncGenerator<ExportRow> {
  const database = openDatabase({ path, mode: 'read' });
  try {
    database.exec('BEGIN');
    for (const row of database.prepare(positional(exportRows.sql).sql).iterate(fromMs, toMs)) {
      yield exportRow(row);
    }
  } finally {
    database.close();
  }
}

/** Checks every rule of the books in one snapshot (I5.33). */
export function sqliteCheck(path: string): CheckReport {
  return inSnapshot(path, (database) => booksCheck(schemaInForce(database)));
}

/** The same on a connection that is open. */
export function checkBooks(database: DatabaseSync): CheckReport {
  return readSnapshot(database, () => booksCheck(schemaInForce(database)));
}
