import type { DuckDBConnection } from '@duckdb/node-api';
import type { ArchiveScan, ScanStatus } from '../../calculators/changes/changeGate.ts';
import type { SeriesChange } from '../../calculators/changes/companyChange.ts';
import type { ChangeKind, FactChange } from '../../calculators/changes/evidenceLines.ts';
import type { ChangedFiling } from '../../calculators/changes/selectDelta.ts';
import {
  type ChangedCompany,
  changedCompany,
  type DeltaDay,
  deltaDay,
} from '../../data/contract/payloads/universe/dailyChanges.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { readRows } from '../warehouse/build/readRows.ts';

// a fact filed after the night cannot have been seen then (M10.2)
const known = `scan_date = $day::DATE AND (filed IS NULL OR filed <= $day::DATE)`;
/** Days a window may reach back (I3.25). */
const lookBackDays = 400;

/** Every recorded scan up to and including a day, oldest first. */
export async function selectScans(connection: DuckDBConnection, upTo: string): Promise<ArchiveScan[]> {
  const rows = await readRows(
    connection,
    `SELECT scan_date::VARCHAR AS day, status, baseline_date::VARCHAR AS baseline, entries, changed_files, new_files,
      removed_files, quarantined, total_facts::DOUBLE AS facts
    FROM archive_scan WHERE scan_date <= $day::DATE ORDER BY scan_date`,
    { day: upTo },
  );
  return rows.map((row) => ({
    date: String(row['day']),
    status: row['status'] as ScanStatus,
    baseline: textOrNull(row['baseline']),
    entries: Number(row['entries']),
    changedFiles: Number(row['changed_files']),
    newFiles: Number(row['new_files']),
    removedFiles: Number(row['removed_files']),
    quarantined: Number(row['quarantined']),
    totalFacts: Number(row['facts']),
  }));
}

/** The delta of one night by registrant: how many rows of each series changed in which way. */
export async function selectSeriesChanges(
  connection: DuckDBConnection,
  day: string,
): Promise<Map<string, SeriesChange[]>> {
  const rows = await readRows(
    connection,
    `SELECT cik, taxonomy, concept, unit, kind, count(*)::INTEGER AS n, (count(*) FILTER (restated))::INTEGER AS restated
    FROM scan_change WHERE ${known}
    GROUP BY ALL ORDER BY ALL`,
    { day },
  );
  return Map.groupBy(
    rows.map((row) => ({
      cik: String(row['cik']),
      change: {
        taxonomy: String(row['taxonomy']),
        concept: String(row['concept']),
        unit: String(row['unit']),
        kind: row['kind'] as ChangeKind,
        rows: Number(row['n']),
        restated: Number(row['restated']),
      },
    })),
    ({ cik }) => cik,
  )
    .entries()
    .reduce(
      (map, [cik, all]) =>
        map.set(
          cik,
          all.map(({ change }) => change),
        ),
      new Map<string, SeriesChange[]>(),
    );
}

/** The changed rows of one night of the registrants asked for, by CIK; the order is that of the evidence lines. */
export async function selectFactChanges(
  connection: DuckDBConnection,
  { day, ciks }: { day: string; ciks: readonly string[] },
): Promise<Map<string, FactChange[]>> {
  const rows = await readRows(
    connection,
    `SELECT cik, kind, taxonomy, concept, unit, start::VARCHAR AS start, "end"::VARCHAR AS "end", accession, form,
      filed::VARCHAR AS filed, value_before, value_after, value_before_exact, value_after_exact, restated, value_prior,
      value_prior_exact
    FROM scan_change WHERE ${known} AND list_contains($ciks::VARCHAR[], cik)
    ORDER BY ALL`,
    { day, ciks: `[${ciks.join(', ')}]` },
  );
  const byIssuer = new Map<string, FactChange[]>();
  for (const row of rows) {
    const cik = String(row['cik']);
    const changes = byIssuer.get(cik) ?? [];
    byIssuer.set(cik, changes);
    changes.push({
      kind: row['kind'] as ChangeKind,
      taxonomy: String(row['taxonomy']),
      concept: String(row['concept']),
      unit: String(row['unit']),
      start: textOrNull(row['start']),
      end: String(row['end']),
      accession: String(row['accession']),
      form: textOrNull(row['form']),
      filed: textOrNull(row['filed']),
      before: decimal(row['value_before'], row['value_before_exact']),
      after: decimal(row['value_after'], row['value_after_exact']),
      restated: row['restated'] === true,
      prior: decimal(row['value_prior'], row['value_prior_exact']),
    });
  }
  return byIssuer;
}

/** Company files that differ in a night, and the registrants that were never in the archive before. */
export async function selectScanFiles(
  connection: DuckDBConnection,
  day: string,
): Promise<{ names: string[]; newCiks: Set<string>; entityNames: Map<string, string> }> {
  const rows = await readRows(
    connection,
    `SELECT name, substr(name, 4, 10) AS cik, crc_before IS NULL AND NOT EXISTS (
        FROM scan_file e WHERE e.name = f.name AND e.scan_date < f.scan_date) AS new, entity_name
    FROM scan_file f WHERE scan_date = $day::DATE ORDER BY name`,
    { day },
  );
  return {
    names: rows.map((row) => String(row['name'])),
    newCiks: new Set(rows.filter((row) => row['new'] === true).map((row) => String(row['cik']))),
    entityNames: new Map(
      rows.flatMap((row) =>
        row['entity_name'] == null ? [] : [[String(row['cik']), String(row['entity_name'])]],
      ),
    ),
  };
}

/** The filings whose facts came with a night: accessions of added rows (M6.4). */
export async function selectChangedFilings(
  connection: DuckDBConnection,
  { day, tickers }: { day: string; tickers: ReadonlyMap<string, string> },
): Promise<ChangedFiling[]> {
  const rows = await readRows(
    connection,
    `SELECT cik, accession, min(form) AS form, max(filed)::VARCHAR AS filed, count(*)::INTEGER AS n
    FROM scan_change WHERE ${known} AND kind = 'added'
    GROUP BY cik, accession ORDER BY cik, accession`,
    { day },
  );
  return rows.map((row) => ({
    cik: String(row['cik']),
    ticker: tickers.get(String(row['cik'])) ?? null,
    accession_number: String(row['accession']),
    form: textOrNull(row['form']),
    filed: textOrNull(row['filed']),
    fact_rows: Number(row['n']),
  }));
}

/** What computed nights before a day recorded. */
export type EarlierNights = {
  /** Newest night whose delta passed the gate and held a registrant; the baseline is none. */
  readonly lastPassed: string | null;
  readonly passedByIssuer: ReadonlyMap<string, string>;
  readonly lastMeaningful: string | null;
  readonly lastDelta: string | null;
  readonly lastDigital: string | null;
  readonly windowDays: readonly DeltaDay[];
};

export async function selectEarlierNights(connection: DuckDBConnection, day: string): Promise<EarlierNights> {
  const [row] = await readRows(
    connection,
    `SELECT max(r.source_date) FILTER (n.passed)::VARCHAR AS passed,
      max(r.source_date) FILTER (r.meaningful_rows > 0)::VARCHAR AS meaningful,
      max(r.source_date)::VARCHAR AS delta,
      max(r.source_date) FILTER (json_extract(r.payload, '$.has_digital_assets') = 'true')::VARCHAR AS digital
    FROM daily_change_row r JOIN daily_change_night n USING (source_date)
    WHERE r.source_date < $day::DATE`,
    { day },
  );
  const issuers = await readRows(
    connection,
    `SELECT r.cik, max(r.source_date)::VARCHAR AS day
    FROM daily_change_row r JOIN daily_change_night n USING (source_date)
    WHERE r.source_date < $day::DATE AND n.passed GROUP BY r.cik ORDER BY r.cik`,
    { day },
  );
  const days = await readRows(
    connection,
    `SELECT window_day FROM daily_change_night JOIN archive_scan ON scan_date = source_date
    WHERE source_date < $day::DATE AND source_date >= $day::DATE - ${lookBackDays} ORDER BY source_date`,
    { day },
  );
  return {
    lastPassed: textOrNull(row?.['passed']),
    passedByIssuer: new Map(issuers.map((one) => [String(one['cik']), String(one['day'])])),
    lastMeaningful: textOrNull(row?.['meaningful']),
    lastDelta: textOrNull(row?.['delta']),
    lastDigital: textOrNull(row?.['digital']),
    windowDays: days.map((one) => deltaDay.parse(JSON.parse(String(one['window_day'])))),
  };
}

/** The rows a computed night published, in the order of their lists. */
export async function selectNightRows(
  connection: DuckDBConnection,
  day: string,
): Promise<{ list: 'changed' | 'new'; row: ChangedCompany }[]> {
  const rows = await readRows(
    connection,
    'SELECT list, payload FROM daily_change_row WHERE source_date = $day::DATE ORDER BY list, delta_size DESC, cik',
    { day },
  );
  return rows.map((row) => ({
    list: row['list'] === 'new' ? 'new' : 'changed',
    row: changedCompany.parse(JSON.parse(String(row['payload']))),
  }));
}

function decimal(value: unknown, exact: unknown): ExactDecimal | null {
  if (typeof exact === 'string') return ExactDecimal.parse(exact);
  return value === null || value === undefined ? null : ExactDecimal.fromNumber(Number(value));
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
