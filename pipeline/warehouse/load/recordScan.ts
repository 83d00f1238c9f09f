import type { DuckDBConnection } from '@duckdb/node-api';
import type { ScanStatus } from '../../../calculators/changes/changeGate.ts';
import type { IngestReport } from '../../ingest/ingestCompanyFacts.ts';
import { cikRanges } from '../../ingest/replaceFacts.ts';
import { readRows } from '../build/readRows.ts';

/** For which night an archive is scanned, and which earlier nights were published. */
export type ScanOrder = {
  readonly sourceDate: string;
  /** Dates of promoted slices: the record of an unpublished night is carried over to the next one (M6.4). */
  readonly published: readonly string[];
  /** A scan that lost a larger share of its companies is no archive to compare with; changes stay `keptDays` (I3.25). */
  readonly limits: { readonly lostShare: number; readonly keptDays: number };
};

/** Entry of build_info while the tables hold an archive that no record leads to. */
const lostStatus = 'archive_lost';

/** Notes what the build holds of the archive before it is read; {@link recordScan} compares with it. */
export async function rememberArchive(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE archive_before AS
    SELECT a.name, a.crc32, a.size, e.entity_name
    FROM archive_entry a LEFT JOIN fact_entity e ON e.cik = substr(a.name, 4, 10)`);
}

/**
 * Records what the scan of one night changed, against the previous successful scan (M6.1–M6.4).
 *
 * The first scan is the baseline. A night that is run again takes the difference of its first run along, so its delta
 * is always that between its last archive and the scan before it. Nights that were never published, and archives that
 * lost too many of their companies, leave their differences to the next scan, and so does a fact filed after the night
 * (M10.2). A night before the newest scan
 * is a look back: the facts follow its archive, the record does not.
 *
 * @param report what the ingest of this run did; `fact_change` holds its rows when it changed anything
 */
export async function recordScan(
  connection: DuckDBConnection,
  input: ScanOrder & { report: IngestReport },
): Promise<void> {
  const { sourceDate: day } = input;
  const state = await archiveState(connection);
  const related = await relate(connection, { ...state, report: input.report });
  await connection.run('DROP TABLE archive_before');
  await setLost(connection, !related);
  if (state.newest !== null && (day < state.newest || (!related && day === state.newest))) return;
  const taken = await takeBackUnseen(connection, input);
  await compose(connection);
  const scan = await scanOf(connection, { ...input, related, first: taken.includes('baseline') });
  if (scan.status === 'baseline' || scan.status === 'uncompared') {
    await forgetPending(connection);
    await addLater(connection, day);
  }
  if (scan.status === 'compared') {
    await connection.run('UPDATE scan_file SET scan_date = $day::DATE WHERE scan_date IS NULL', { day });
    // an archive read after the night may hold filings of a later day: they are changes of the night that knows them
    await connection.run(
      `UPDATE scan_change SET scan_date = $day::DATE
      WHERE scan_date IS NULL AND (filed IS NULL OR filed <= $day::DATE)`,
      { day },
    );
  }
  await setLost(connection, false);
  await connection.run(
    `INSERT INTO archive_scan VALUES ($day::DATE, $status, $baseline::DATE, $entries, $changed, $added, $removed,
      $quarantined, $facts, $digest)`,
    { ...scan, digest: state.digest },
  );
  for (const table of ['scan_change', 'scan_file']) {
    await connection.run(`DELETE FROM ${table} WHERE scan_date < $day::DATE - $kept::INTEGER`, {
      day,
      kept: input.limits.keptDays,
    });
  }
}

type ArchiveState = {
  readonly newest: string | null;
  readonly entries: number;
  /** Of the names, checksums and sizes of the company files held now. */
  readonly digest: string;
  /** True when the differences since the newest scan are not known. */
  readonly lost: boolean;
};

async function archiveState(connection: DuckDBConnection): Promise<ArchiveState> {
  const [state] = await readRows<ArchiveState>(
    connection,
    `SELECT (SELECT max(scan_date)::VARCHAR FROM archive_scan) AS newest, count(*)::INTEGER AS entries,
      md5(coalesce(string_agg(concat_ws(' ', name, crc32, size), chr(10) ORDER BY name), '')) AS digest,
      EXISTS (FROM build_info WHERE name = '${lostStatus}') AS lost
    FROM archive_entry`,
  );
  return state ?? { newest: null, entries: 0, digest: '', lost: false };
}

async function setLost(connection: DuckDBConnection, lost: boolean): Promise<void> {
  await connection.run(`DELETE FROM build_info WHERE name = '${lostStatus}'`);
  if (lost) await connection.run(`INSERT INTO build_info VALUES ('${lostStatus}', 'true')`);
}

/**
 * Makes the pending rows the difference between the newest scan and the archive held now; false when that is not known.
 *
 * Where the tables were filled again, the difference this run found is with nothing: then the archive is looked for among
 * the recorded scans, and what came after it is taken back.
 */
async function relate(
  connection: DuckDBConnection,
  { report, entries, lost, newest, digest }: ArchiveState & { report: IngestReport },
): Promise<boolean> {
  const anew = report.added.length > 0 && report.added.length === entries;
  if (!anew && !lost) {
    const differs = report.changed.length + report.added.length + report.removed.length > 0;
    if (differs) await addPending(connection);
    return true;
  }
  await forgetPending(connection);
  if (newest === null) return true;
  const [anchor] = await readRows<{ day: string | null }>(
    connection,
    `SELECT max(a.scan_date)::VARCHAR AS day FROM archive_scan a
    WHERE a.digest = $digest AND a.status <> 'incomplete' AND NOT EXISTS (
      FROM archive_scan b WHERE b.scan_date > a.scan_date AND b.status IN ('baseline', 'uncompared'))`,
    { digest },
  );
  if (anchor?.day == null) return false;
  await addReversed(connection, anchor.day);
  return true;
}

/** Makes the opposite of everything recorded after a scan pending. */
async function addReversed(connection: DuckDBConnection, day: string): Promise<void> {
  await connection.run(
    `INSERT INTO scan_change BY NAME
    SELECT * REPLACE (NULL::DATE AS scan_date, value_before AS value_after, value_after AS value_before,
      value_before_exact AS value_after_exact, value_after_exact AS value_before_exact, false AS restated,
      NULL::DOUBLE AS value_prior, NULL::VARCHAR AS value_prior_exact,
      CASE kind WHEN 'added' THEN 'removed' WHEN 'removed' THEN 'added' ELSE kind END AS kind)
    FROM scan_change WHERE scan_date > $day::DATE`,
    { day },
  );
  await connection.run(
    `INSERT INTO scan_file
    SELECT NULL, name, last.crc, last.size, first.crc, first.size, entity_name FROM (
      SELECT name, arg_max({crc: crc_after, size: size_after}, scan_date) AS last,
        arg_min({crc: crc_before, size: size_before}, scan_date) AS first, max(entity_name) AS entity_name
      FROM scan_file WHERE scan_date > $day::DATE GROUP BY name)`,
    { day },
  );
}

/**
 * What an archive that is compared with nothing holds of later days is added on the night that knows it (M10.2). Memory
 * is bounded by ranges of companies: one filing a company was filed later, or years of them.
 */
async function addLater(connection: DuckDBConnection, day: string): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE later_fact AS
    SELECT *, accession AS code FROM fact WHERE filed > $day::DATE AND filed < DATE 'infinity'`,
    { day },
  );
  const touched = 'SELECT cik FROM fact WHERE cik IN (SELECT DISTINCT cik FROM later_fact)';
  for (const { from, to } of await cikRanges(connection, touched))
    await connection.run(addLaterOf, { day, from, to });
  await connection.run('DROP TABLE later_fact');
}

const addLaterOf = `
  INSERT INTO scan_change BY NAME
  WITH later AS MATERIALIZED (
    FROM later_fact WHERE cik BETWEEN $from AND $to
  ), held AS (
    SELECT f.*, x.value_exact AS exact FROM fact f SEMI JOIN later USING (cik, series_id, start_date, end_date)
    LEFT JOIN fact_exact x ON x.code = f.accession WHERE f.cik BETWEEN $from AND $to AND f.filed <= $day::DATE
  )
  SELECT lpad(l.cik::VARCHAR, 10, '0') AS cik, 'added' AS kind, taxonomy, concept, unit,
    nullif(l.start_date, DATE '-infinity') AS start, l.end_date AS "end",
    coalesce(x.accession, accession_text(l.code)) AS accession, form, l.filed,
    l.value AS value_after, x.value_exact AS value_after_exact,
    coalesce(bool_or(h.value <> l.value OR h.exact IS DISTINCT FROM x.value_exact) FILTER (h.cik IS NOT NULL), false)
      AS restated,
    arg_max(h.value, (h.filed, h.accession)) AS value_prior, arg_max_null(h.exact, (h.filed, h.accession)) AS value_prior_exact
  FROM later l
  JOIN fact_series USING (series_id)
  JOIN fact_form USING (form_id)
  LEFT JOIN fact_exact x USING (code)
  LEFT JOIN held h ON (h.cik, h.series_id, h.start_date, h.end_date) = (l.cik, l.series_id, l.start_date, l.end_date)
  GROUP BY ALL`;

async function forgetPending(connection: DuckDBConnection): Promise<void> {
  for (const table of ['scan_change', 'scan_file'])
    await connection.run(`DELETE FROM ${table} WHERE scan_date IS NULL`);
}

/** Makes the records of this night and of unpublished nights pending again; returns what their scans were. */
export async function takeBackUnseen(
  connection: DuckDBConnection,
  scanOrder: Pick<ScanOrder, 'sourceDate' | 'published'>,
): Promise<string[]> {
  const published = scanOrder.published.filter((date) => date < scanOrder.sourceDate);
  const rows = await readRows<{ day: string; status: string }>(
    connection,
    `SELECT scan_date::VARCHAR AS day, status FROM archive_scan
    WHERE scan_date = $day::DATE OR scan_date > coalesce(list_max($published::VARCHAR[]), '0001-01-01')::DATE`,
    { day: scanOrder.sourceDate, published: `[${published.join(', ')}]` },
  );
  if (rows.length === 0) return [];
  const taken = rows.map(({ day }) => `DATE '${day}'`).join(', ');
  // the first state before and the last after; what is pending already came later than any record
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE folded AS
    SELECT name, arg_min({crc: crc_before, size: size_before}, day) AS before,
      arg_max({crc: crc_after, size: size_after}, day) AS after, max(entity_name) AS entity_name
    FROM (SELECT *, coalesce(scan_date, DATE 'infinity') AS day FROM scan_file
      WHERE scan_date IS NULL OR scan_date IN (${taken}))
    GROUP BY name`);
  await connection.run(`DELETE FROM scan_file WHERE scan_date IS NULL OR scan_date IN (${taken})`);
  await connection.run(`INSERT INTO scan_file
    SELECT NULL, name, before.crc, before.size, after.crc, after.size, entity_name FROM folded
    WHERE before IS DISTINCT FROM after`);
  await connection.run('DROP TABLE folded');
  await connection.run(`UPDATE scan_change SET scan_date = NULL WHERE scan_date IN (${taken})`);
  await connection.run(`DELETE FROM archive_scan WHERE scan_date IN (${taken})`);
  for (const table of ['daily_change_night', 'daily_change_row']) {
    await connection.run(`DELETE FROM ${table} WHERE source_date IN (${taken})`);
  }
  return rows.map(({ status }) => status);
}
/** Adds the difference of this run: its rows, and the company files whose bytes differ. */
async function addPending(connection: DuckDBConnection): Promise<void> {
  await connection.run('INSERT INTO scan_change BY NAME SELECT NULL::DATE AS scan_date, * FROM fact_change');
  // the file as it was at the last record stays the one before, regardless of what came between
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE file_difference AS
    SELECT coalesce(p.name, b.name, a.name) AS name,
      if(p.name IS NULL, b.crc32, p.crc_before) AS crc_before,
      if(p.name IS NULL, b.size, p.size_before) AS size_before,
      a.crc32 AS crc_after, a.size AS size_after,
      coalesce(e.entity_name, b.entity_name, p.entity_name) AS entity_name
    FROM archive_before b
    FULL JOIN archive_entry a USING (name)
    FULL JOIN (FROM scan_file WHERE scan_date IS NULL) p ON p.name = coalesce(b.name, a.name)
    LEFT JOIN fact_entity e ON e.cik = substr(coalesce(p.name, b.name, a.name), 4, 10)`);
  await connection.run('DELETE FROM scan_file WHERE scan_date IS NULL');
  await connection.run(`
    INSERT INTO scan_file BY NAME
    SELECT NULL::DATE AS scan_date, * FROM file_difference
    WHERE crc_before IS DISTINCT FROM crc_after OR size_before IS DISTINCT FROM size_after`);
  await connection.run('DROP TABLE file_difference');
}

/**
 * Adds the pending differences up: what one scan added and the next removed is no change. Rows are signed values of
 * their key; what is left over is paired again as the reader of archives pairs it.
 */
async function compose(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE composed AS
    WITH key AS (SELECT *, coalesce(start, DATE '-infinity') AS first_day FROM scan_change WHERE scan_date IS NULL),
    signed AS (
      SELECT cik, taxonomy, concept, unit, first_day, "end", accession, form, filed, restated, value_prior, value_prior_exact,
        value_after AS value, value_after_exact AS exact, 1 AS sign
      FROM key WHERE kind <> 'removed'
      UNION ALL
      SELECT cik, taxonomy, concept, unit, first_day, "end", accession, form, filed, false, NULL, NULL,
        value_before, value_before_exact, -1
      FROM key WHERE kind <> 'added'
    ), summed AS (
      SELECT cik, taxonomy, concept, unit, first_day, "end", accession, value, exact, max(form) AS form, max(filed) AS filed,
        bool_or(restated) AS restated, max(value_prior) AS value_prior, max(value_prior_exact) AS value_prior_exact,
        sum(sign)::INTEGER AS n
      FROM signed GROUP BY cik, taxonomy, concept, unit, first_day, "end", accession, value, exact
      HAVING sum(sign) <> 0
    ), numbered AS (
      SELECT s.* EXCLUDE (n), sign(n) AS side,
        row_number() OVER (
          PARTITION BY cik, taxonomy, concept, unit, first_day, "end", accession, sign(n) ORDER BY value, exact
        ) AS n
      FROM summed s, range(abs(s.n))
    ), b AS (FROM numbered WHERE side < 0), a AS (FROM numbered WHERE side > 0)
    SELECT cik,
      CASE WHEN b.side IS NULL THEN 'added' WHEN a.side IS NULL THEN 'removed' ELSE 'revised' END AS kind,
      taxonomy, concept, unit, nullif(first_day, DATE '-infinity') AS start, "end", accession,
      coalesce(a.form, b.form) AS form, coalesce(a.filed, b.filed) AS filed,
      b.value AS value_before, a.value AS value_after, b.exact AS value_before_exact, a.exact AS value_after_exact,
      b.side IS NULL AND coalesce(a.restated, false) AS restated,
      if(b.side IS NULL, a.value_prior, NULL) AS value_prior,
      if(b.side IS NULL, a.value_prior_exact, NULL) AS value_prior_exact
    FROM b FULL JOIN a USING (cik, taxonomy, concept, unit, first_day, "end", accession, n)`);
  await connection.run('DELETE FROM scan_change WHERE scan_date IS NULL');
  await connection.run(
    `INSERT INTO scan_change BY NAME SELECT NULL::DATE AS scan_date, * FROM composed
    ORDER BY cik, taxonomy, concept, unit, "end", start, accession`,
  );
  await connection.run('DROP TABLE composed');
}

type ScanRow = {
  readonly day: string;
  readonly status: ScanStatus;
  readonly baseline: string | null;
  readonly entries: number;
  readonly changed: number;
  readonly added: number;
  readonly removed: number;
  readonly quarantined: number;
  readonly facts: number;
};

async function scanOf(
  connection: DuckDBConnection,
  { first, related, limits, sourceDate }: ScanOrder & { related: boolean; first: boolean },
): Promise<ScanRow> {
  const [row] = await readRows<
    Partial<Omit<ScanRow, 'day' | 'status' | 'facts'>> & { before: number | null }
  >(
    connection,
    `SELECT
      (SELECT max(scan_date)::VARCHAR FROM archive_scan WHERE status IN ('baseline', 'compared', 'uncompared')) AS baseline,
      (SELECT arg_max(entries, scan_date) FROM archive_scan WHERE status IN ('baseline', 'compared', 'uncompared')) AS before,
      (SELECT count(*)::INTEGER FROM archive_entry) AS entries,
      count(*) FILTER (crc_before IS NOT NULL AND crc_after IS NOT NULL)::INTEGER AS changed,
      count(*) FILTER (crc_before IS NULL)::INTEGER AS added,
      count(*) FILTER (crc_after IS NULL)::INTEGER AS removed,
      (SELECT count(*)::INTEGER FROM quarantine WHERE regexp_matches(name, '^CIK\\d{10}\\.json$')) AS quarantined
    FROM scan_file WHERE scan_date IS NULL`,
  );
  const {
    baseline = null,
    before,
    entries = 0,
    changed = 0,
    added = 0,
    removed = 0,
    quarantined = 0,
  } = row ?? {};
  const status: ScanStatus =
    baseline === null || first
      ? 'baseline'
      : !related
        ? 'uncompared'
        : removed > limits.lostShare * (before ?? 0)
          ? 'incomplete'
          : 'compared';
  const counted = status === 'compared' || status === 'incomplete';
  const scanned =
    status === 'baseline' || status === 'uncompared'
      ? 'SELECT count(*)::DOUBLE AS n FROM fact'
      : `SELECT count(*)::DOUBLE AS n FROM fact WHERE cik IN (
          SELECT substr(name, 4, 10)::INTEGER FROM scan_file WHERE scan_date IS NULL AND crc_after IS NOT NULL)`;
  const [facts] = await readRows<{ n: number }>(connection, scanned);
  return {
    day: sourceDate,
    status,
    entries,
    quarantined,
    ...(counted
      ? { baseline, changed, added, removed }
      : { baseline: null, changed: 0, added: 0, removed: 0 }),
    facts: facts?.n ?? 0,
  };
}
