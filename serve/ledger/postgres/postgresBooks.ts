import type { CheckReport, ExportRow } from '../port/books.ts';
import { booksCheck } from '../reads/booksCheck.ts';
import { exportRows } from '../reads/exportRows.ts';
import { exportRow } from '../rows/exportRow.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';
import { schemaInForce } from './schema/schemaInForce.ts';
import { inSnapshot, readingOn } from './snapshot.ts';

const exportCursor = `DECLARE export NO SCROLL CURSOR FOR ${exportRows.sql}`;

/** Streams the export of one snapshot over a cursor on a connection of its own (P8.61). */
export async function* postgresExport({
  database,
  fromMs,
  toMs,
}: {
  database: PostgresDatabase;
  fromMs: number;
  toMs: number;
}): AsyncGenerator<ExportRow> {
  const client = await database.client();
  const query = readingOn(client);
  try {
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await query(exportCursor, [fromMs, toMs]);
    for (;;) {
      const rows = await query('FETCH 1000 FROM export');
      if (rows.length === 0) return;
      for (const row of rows) yield exportRow(row);
    }
  } finally {
    await client.end();
  }
}

/** Checks every rule of the books in one snapshot (I5.33). */
export function postgresCheck(database: PostgresDatabase): Promise<CheckReport> {
  return inSnapshot({ database, steps: async (query) => booksCheck(await schemaInForce(query)) });
}
