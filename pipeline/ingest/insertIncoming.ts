import type { DuckDBConnection } from '@duckdb/node-api';
import { cikRanges } from './cikRanges.ts';

/** a look-up reads a row group or two of every night since: beyond this share the table is written anew */
const outOfOrderShare = 0.2;

/**
 * Adds the rows of fact_incoming to fact, whose rows of the same registrants are gone already.
 *
 * Rows go to the end, out of cik order, and are counted in fact_order; once more than a fifth of the table would be,
 * the whole table is put back in cik order, so that the look-up of an issuer stays fast night after night. Memory is
 * bounded by ranges of two million rows. Runs inside the caller's transaction.
 */
export async function insertIncoming(connection: DuckDBConnection): Promise<void> {
  const counted = await connection.runAndReadAll(`
    SELECT (SELECT count(*) FROM fact), (SELECT count(*) FROM fact_incoming),
      (SELECT coalesce(sum(rows_out_of_order), 0)::BIGINT FROM fact_order)`);
  const [held = 0, incoming = 0, before = 0] = (counted.getRows()[0] ?? []).map(Number);
  const outOfOrder = before + incoming;
  const tooMany = outOfOrder > outOfOrderShare * (held + incoming);
  if (tooMany) await rewriteInOrder(connection);
  else await connection.run('INSERT INTO fact FROM fact_incoming');
  await connection.run('DELETE FROM fact_order');
  await connection.run(`INSERT INTO fact_order VALUES (${tooMany ? 0 : outOfOrder})`);
}

/** Appends every row in cik order behind the present ones, then drops those: names, views and comments stay. */
async function rewriteInOrder(connection: DuckDBConnection): Promise<void> {
  const last = await connection.runAndReadAll('SELECT coalesce(max(rowid), -1) FROM fact');
  const held = `rowid <= ${last.getRows()[0]?.[0]}`;
  const source = `SELECT cik FROM fact WHERE ${held} UNION ALL SELECT cik FROM fact_incoming`;
  for (const { from, to } of await cikRanges(connection, source)) {
    const range = `cik BETWEEN ${from} AND ${to}`;
    // all rows of a registrant come from one side, so their rowids are comparable
    await connection.run(`
      INSERT INTO fact
      SELECT * EXCLUDE (n) FROM (
        SELECT *, rowid AS n FROM fact WHERE ${held} AND ${range}
        UNION ALL SELECT *, rowid AS n FROM fact_incoming WHERE ${range}
      ) ORDER BY cik, n`);
  }
  await connection.run(`DELETE FROM fact WHERE ${held}`);
}
