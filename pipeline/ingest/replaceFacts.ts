import type { DuckDBConnection } from '@duckdb/node-api';

const differingSql =
  'SELECT cik FROM fact_incoming UNION ALL SELECT cik FROM fact SEMI JOIN replaced_cik USING (cik)';

/**
 * Records what differs between the held and the incoming rows of `ciks` in fact_change, then puts the incoming
 * ones in their place.
 *
 * Rows are one and the same by (cik, taxonomy, concept, unit, start, end, accn); only their values are compared
 * (METHODOLOGY M6.1–M6.3). An added row whose series held another value is restated. Runs inside the caller's transaction.
 */
export async function replaceFacts({
  connection,
  ciks,
}: {
  connection: DuckDBConnection;
  ciks: readonly number[];
}): Promise<void> {
  await connection.run('CREATE OR REPLACE TEMP TABLE replaced_cik (cik INTEGER)');
  const appender = await connection.createAppender('replaced_cik');
  for (const cik of ciks) {
    appender.appendInteger(cik);
    appender.endRow();
  }
  appender.closeSync();
  await connection.run('DELETE FROM fact_change');
  for (const { from, to } of await cikRanges(connection, differingSql)) {
    await connection.run(recordChanges, { from, to });
  }
  await connection.run('DELETE FROM fact WHERE cik IN (FROM replaced_cik)');
  await insertIncoming(connection);
  await connection.run('DELETE FROM fact_incoming');
  await connection.run('DROP TABLE replaced_cik');
}

// codes are compared first; the few rows left over are compared by accession and value as filed
const recordChanges = `
INSERT INTO fact_change
WITH side AS (
  SELECT cik, series_id, start_date, end_date, accession, value, form_id, filed, 0 AS late
  FROM fact SEMI JOIN replaced_cik USING (cik) WHERE cik BETWEEN $from AND $to
  UNION ALL
  SELECT cik, series_id, start_date, end_date, accession, value, form_id, filed, 1 AS late
  FROM fact_incoming WHERE cik BETWEEN $from AND $to
), differing AS (
  SELECT cik, series_id, start_date, end_date, accession, value, min(late) AS late,
    max(form_id) AS form_id, max(filed) AS filed
  FROM side GROUP BY cik, series_id, start_date, end_date, accession, value
  HAVING min(late) = max(late)
), numbered AS MATERIALIZED (
  SELECT d.cik, series_id, start_date, end_date, value, value_exact, form_id, filed, late,
    CASE WHEN d.accession >= 0 THEN accession_text(d.accession) ELSE x.accession END AS accn,
    row_number() OVER (
      PARTITION BY d.cik, series_id, start_date, end_date, accn, late ORDER BY value, value_exact
    ) AS n
  FROM differing d LEFT JOIN fact_exact x ON x.code = d.accession
), before AS (FROM numbered WHERE late = 0), after AS (FROM numbered WHERE late = 1),
-- what the series of the changed rows held before, newest filing last
held AS (
  SELECT f.cik, f.series_id, f.start_date, f.end_date,
    min(f.value) AS least, max(f.value) AS most,
    arg_max({value: f.value, exact: x.value_exact}, (f.filed,
      CASE WHEN f.accession >= 0 THEN accession_text(f.accession) ELSE x.accession END)) AS newest
  FROM fact f SEMI JOIN after USING (cik, series_id, start_date, end_date)
  LEFT JOIN fact_exact x ON x.code = f.accession
  WHERE f.cik BETWEEN $from AND $to
  GROUP BY f.cik, f.series_id, f.start_date, f.end_date
)
SELECT
  lpad(cik::VARCHAR, 10, '0'),
  CASE WHEN b.n IS NULL THEN 'added' WHEN a.n IS NULL THEN 'removed' ELSE 'revised' END AS kind,
  s.taxonomy, s.concept, s.unit,
  nullif(start_date, DATE '-infinity'), end_date, accn,
  m.form, nullif(coalesce(a.filed, b.filed), DATE 'infinity'),
  b.value, a.value, b.value_exact, a.value_exact,
  kind = 'added' AND h.cik IS NOT NULL AND (
    h.least <> a.value OR h.most <> a.value OR h.newest.exact IS DISTINCT FROM a.value_exact),
  CASE WHEN kind = 'added' THEN h.newest.value END,
  CASE WHEN kind = 'added' THEN h.newest.exact END
FROM before b FULL JOIN after a USING (cik, series_id, start_date, end_date, accn, n)
LEFT JOIN held h USING (cik, series_id, start_date, end_date)
JOIN fact_series s USING (series_id)
JOIN fact_form m ON m.form_id = coalesce(a.form_id, b.form_id)
ORDER BY cik, s.taxonomy, s.concept, s.unit, end_date, start_date, accn, n`;

/** a look-up reads a row group or two of every night since: beyond this share the table is written again */
const outOfOrderShare = 0.2;

/**
 * Adds the rows of fact_incoming to fact, whose rows of the same registrants are gone already.
 *
 * Rows go to the end, out of cik order, and are counted in fact_order; once more than a fifth of the table would be,
 * the whole table is put back in cik order, so that the look-up of an issuer stays fast night after night. Memory is
 * bounded by ranges of rows. Runs inside the caller's transaction.
 */
async function insertIncoming(connection: DuckDBConnection): Promise<void> {
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

/**
 * rows of one range, so that memory does not grow with the archive: where every fact of 516 companies is revised at once
 * (3.7 million rows), two million need more than 512 MB, these end within 256
 */
const rangeRows = 500_000n;

/** Neighbouring Central Index Keys, both ends included. */
type CikRange = { readonly from: number; readonly to: number };

/** Splits the rows of `source`, a query with a column cik, into ranges of about that many rows; one cik is never split. */
export async function cikRanges(connection: DuckDBConnection, source: string): Promise<CikRange[]> {
  const result = await connection.runAndReadAll(
    `SELECT cik, count(*) FROM (${source}) GROUP BY cik ORDER BY cik`,
  );
  const ranges: { from: number; to: number }[] = [];
  let rows = rangeRows;
  for (const [cik, count] of result.getRows() as [number, bigint][]) {
    const open = ranges.at(-1);
    if (open === undefined || rows + count > rangeRows) {
      ranges.push({ from: cik, to: cik });
      rows = count;
    } else {
      open.to = cik;
      rows += count;
    }
  }
  return ranges;
}
