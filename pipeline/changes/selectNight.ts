import type { DuckDBConnection } from '@duckdb/node-api';
import type { ArchiveScan } from '../../calculators/changes/changeGate.ts';
import type { SeriesChange } from '../../calculators/changes/companyChange.ts';
import type { FactChange } from '../../calculators/changes/evidenceLines.ts';
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
  return readRows(
    connection,
    `SELECT scan_date::VARCHAR AS date, status, baseline_date::VARCHAR AS baseline, entries, changed_files AS "changedFiles",
      new_files AS "newFiles", removed_files AS "removedFiles", quarantined, total_facts::DOUBLE AS "totalFacts"
    FROM archive_scan WHERE scan_date <= $day::DATE ORDER BY scan_date`,
    { day: upTo },
  );
}

/** The delta of one night by registrant: how many rows of each series changed in which way. */
export async function selectSeriesChanges(
  connection: DuckDBConnection,
  day: string,
): Promise<Map<string, SeriesChange[]>> {
  const rows = await readRows<SeriesChange & { cik: string }>(
    connection,
    `SELECT cik, taxonomy, concept, unit, kind, count(*)::INTEGER AS rows, (count(*) FILTER (restated))::INTEGER AS restated
    FROM scan_change WHERE ${known}
    GROUP BY ALL ORDER BY ALL`,
    { day },
  );
  return byRegistrant(rows);
}

function byRegistrant<T>(rows: readonly (T & { readonly cik: string })[]): Map<string, Omit<T, 'cik'>[]> {
  const groups = [...Map.groupBy(rows, ({ cik }) => cik)];
  return new Map(groups.map(([cik, own]) => [cik, own.map(({ cik: _, ...row }) => row)]));
}

/** The changed rows of one night of the registrants asked for, by CIK; the order is that of the evidence lines. */
export async function selectFactChanges(
  connection: DuckDBConnection,
  { day, ciks }: { day: string; ciks: readonly string[] },
): Promise<Map<string, FactChange[]>> {
  const rows = await readRows<StoredChange>(
    connection,
    `SELECT cik, kind, taxonomy, concept, unit, start::VARCHAR AS start, "end"::VARCHAR AS "end", accession, form,
      filed::VARCHAR AS filed, value_before, value_after, value_before_exact, value_after_exact, restated, value_prior,
      value_prior_exact
    FROM scan_change WHERE ${known} AND list_contains($ciks::VARCHAR[], cik)
    ORDER BY ALL`,
    { day, ciks: `[${ciks.join(', ')}]` },
  );
  return byRegistrant(
    rows.map((stored) => {
      const { value_before, value_after, value_prior, ...row } = stored;
      const { value_before_exact, value_after_exact, value_prior_exact, ...change } = row;
      return {
        ...change,
        before: decimal(value_before, value_before_exact),
        after: decimal(value_after, value_after_exact),
        prior: decimal(value_prior, value_prior_exact),
      };
    }),
  );
}

type Amounts = 'value_before' | 'value_after' | 'value_prior';
type StoredChange = Omit<FactChange, 'before' | 'after' | 'prior'> & { readonly cik: string } & {
  readonly [amount in Amounts]: number | null;
} & { readonly [amount in `${Amounts}_exact`]: string | null };

/** Company files that differ in a night, and the registrants that were never in the archive before. */
export async function selectScanFiles(
  connection: DuckDBConnection,
  day: string,
): Promise<{ names: string[]; newCiks: Set<string>; entityNames: Map<string, string> }> {
  const rows = await readRows<{ name: string; cik: string; isNew: boolean; entityName: string | null }>(
    connection,
    `SELECT name, substr(name, 4, 10) AS cik, crc_before IS NULL AND NOT EXISTS (
        FROM scan_file e WHERE e.name = f.name AND e.scan_date < f.scan_date) AS "isNew", entity_name AS "entityName"
    FROM scan_file f WHERE scan_date = $day::DATE ORDER BY name`,
    { day },
  );
  return {
    names: rows.map(({ name }) => name),
    newCiks: new Set(rows.filter(({ isNew }) => isNew).map(({ cik }) => cik)),
    entityNames: new Map(
      rows.flatMap(({ cik, entityName }) => (entityName === null ? [] : [[cik, entityName]])),
    ),
  };
}

/** The filings whose facts came with a night: accessions of added rows (M6.4). */
export async function selectChangedFilings(
  connection: DuckDBConnection,
  { day, tickers }: { day: string; tickers: ReadonlyMap<string, string> },
): Promise<ChangedFiling[]> {
  const rows = await readRows<Omit<ChangedFiling, 'ticker'>>(
    connection,
    `SELECT cik, accession AS accession_number, min(form) AS form, max(filed)::VARCHAR AS filed,
      count(*)::INTEGER AS fact_rows
    FROM scan_change WHERE ${known} AND kind = 'added'
    GROUP BY cik, accession ORDER BY cik, accession`,
    { day },
  );
  return rows.map((row) => ({ ...row, ticker: tickers.get(row.cik) ?? null }));
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
  const [newest] = await readRows<Omit<EarlierNights, 'passedByIssuer' | 'windowDays'>>(
    connection,
    `SELECT max(r.source_date) FILTER (n.passed)::VARCHAR AS "lastPassed",
      max(r.source_date) FILTER (r.meaningful_rows > 0)::VARCHAR AS "lastMeaningful",
      max(r.source_date)::VARCHAR AS "lastDelta",
      max(r.source_date) FILTER (json_extract(r.payload, '$.has_digital_assets') = 'true')::VARCHAR AS "lastDigital"
    FROM daily_change_row r JOIN daily_change_night n USING (source_date)
    WHERE r.source_date < $day::DATE`,
    { day },
  );
  const issuers = await readRows<{ cik: string; day: string }>(
    connection,
    `SELECT r.cik, max(r.source_date)::VARCHAR AS day
    FROM daily_change_row r JOIN daily_change_night n USING (source_date)
    WHERE r.source_date < $day::DATE AND n.passed GROUP BY r.cik ORDER BY r.cik`,
    { day },
  );
  const days = await readRows<{ window_day: string }>(
    connection,
    `SELECT window_day FROM daily_change_night JOIN archive_scan ON scan_date = source_date
    WHERE source_date < $day::DATE AND source_date >= $day::DATE - ${lookBackDays} ORDER BY source_date`,
    { day },
  );
  return {
    ...(newest ?? { lastPassed: null, lastMeaningful: null, lastDelta: null, lastDigital: null }),
    passedByIssuer: new Map(issuers.map(({ cik, day: last }) => [cik, last])),
    windowDays: days.map(({ window_day: text }) => deltaDay.parse(JSON.parse(text))),
  };
}

/** The rows a computed night published, in the order of their lists. */
export async function selectNightRows(
  connection: DuckDBConnection,
  day: string,
): Promise<{ list: 'changed' | 'new'; row: ChangedCompany }[]> {
  const rows = await readRows<{ list: 'changed' | 'new'; payload: string }>(
    connection,
    'SELECT list, payload FROM daily_change_row WHERE source_date = $day::DATE ORDER BY list, delta_size DESC, cik',
    { day },
  );
  return rows.map(({ list, payload }) => ({ list, row: changedCompany.parse(JSON.parse(payload)) }));
}

function decimal(value: number | null, exact: string | null): ExactDecimal | null {
  if (exact !== null) return ExactDecimal.parse(exact);
  return value === null ? null : ExactDecimal.fromNumber(value);
}
