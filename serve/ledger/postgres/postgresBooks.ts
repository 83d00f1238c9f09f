import { bookRules, checkReport, countsSql, problemsOf } from '../bookRules.ts';
import type { BookProblem, CheckReport, ExportRow } from '../port/books.ts';
import { exportRow } from '../rows.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';
import { schemaInForce } from './schemaInForce.ts';

/** Streams the export of one snapshot over a cursor on a connection of its own (P8.61). */
export async function* postgresExport(o: {
  database: PostgresDatabase;
  fromMs: number;
  toMs: number;
}): AsyncGenerator<ExportRow> {
  const client = await o.database.client();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(
      `DECLARE export NO SCROLL CURSOR FOR
        SELECT r.*, p.provider, p.network, p.domain_contract, g.program, d.amount_micro AS debit_micro,
          d.state AS debit_state
        FROM receipts r LEFT JOIN payments p ON p.claim_key = r.claim_key
          LEFT JOIN grants g ON g.grant_id = r.grant_id LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id
        WHERE r.created_ms >= $1 AND r.created_ms < $2 ORDER BY r.created_ms, r.receipt_id COLLATE "C"`,
      [o.fromMs, o.toMs],
    );
    for (;;) {
      const { rows } = await client.query('FETCH 1000 FROM export');
      if (rows.length === 0) return;
      for (const row of rows) yield exportRow(row);
    }
  } finally {
    await client.end();
  }
}

/** Checks every rule of the books in one snapshot (I5.33). */
export async function postgresCheck(database: PostgresDatabase): Promise<CheckReport> {
  const client = await database.client();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const problems: BookProblem[] = [];
    for (const rule of bookRules) problems.push(...problemsOf(rule, (await client.query(rule.sql)).rows));
    problems.push(...(await schemaInForce(client)));
    const counts = await client.query(countsSql);
    return checkReport(counts.rows[0] ?? {}, problems);
  } finally {
    await client.end();
  }
}
