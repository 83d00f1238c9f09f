import type { DatabaseSync } from 'node:sqlite';
import { bookRules, checkReport, countsSql, problemsOf } from '../bookRules.ts';
import type { CheckReport, ExportRow } from '../port/books.ts';
import { exportRow } from '../rows.ts';
import { openDatabase } from './openDatabase.ts';
import { schemaInForce } from './schemaInForce.ts';

/** Streams the export of one snapshot on a connection of its own (P8.61). */
export async function* sqliteExport(o: {
  path: string;
  fromMs: number;
  toMs: number;
}): AsyncGenerator<ExportRow> {
  const database = openDatabase({ path: o.path, mode: 'read' });
  try {
    database.exec('BEGIN');
    const rows = database
      .prepare(`
        SELECT r.*, p.provider, p.network, p.domain_contract, g.program, d.amount_micro AS debit_micro,
          d.state AS debit_state
        FROM receipts r LEFT JOIN payments p ON p.claim_key = r.claim_key
          LEFT JOIN grants g ON g.grant_id = r.grant_id LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id
        WHERE r.created_ms >= ? AND r.created_ms < ? ORDER BY r.created_ms, r.receipt_id`)
      .iterate(o.fromMs, o.toMs);
    for (const row of rows) yield exportRow(row);
  } finally {
    database.close();
  }
}

/** Checks every rule of the books in one snapshot (I5.33). */
export function sqliteCheck(path: string): CheckReport {
  const database = openDatabase({ path, mode: 'read' });
  try {
    return checkBooks(database);
  } finally {
    database.close();
  }
}

/** The same on a connection that is open. */
export function checkBooks(database: DatabaseSync): CheckReport {
  database.exec('BEGIN');
  try {
    const broken = bookRules.flatMap((rule) => problemsOf(rule, database.prepare(rule.sql).all()));
    const problems = [...broken, ...schemaInForce(database)];
    return checkReport(database.prepare(countsSql).get() ?? {}, problems);
  } finally {
    database.exec('ROLLBACK');
  }
}
