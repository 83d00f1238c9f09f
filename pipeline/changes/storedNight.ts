import type { DuckDBConnection } from '@duckdb/node-api';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { insertRows } from '../warehouse/build/insertRows.ts';
import { inTransaction, readRows } from '../warehouse/build/readRows.ts';
import { takeBackUnseen } from '../warehouse/load/recordScan.ts';
import type { NightChanges } from './nightChanges.ts';

/**
 * Keeps the registrants of a night's own delta and the gate's verdict behind views `daily_changes` and `scans`, in
 * place of what an earlier run of the night kept. A night without a scan keeps nothing.
 */
export async function keepNightChanges(connection: DuckDBConnection, night: NightChanges): Promise<void> {
  const { sourceDate: day, scan, verdict } = night.delta;
  for (const table of ['daily_change_row', 'daily_change_night']) {
    await connection.run(`DELETE FROM ${table} WHERE source_date = $day::DATE`, { day });
  }
  const today = night.windowDays.find((one) => one.date === day);
  if (scan === null || today === undefined) return;
  await insertRows(connection, {
    table: 'daily_change_row',
    rows: night.own.map(({ list, row, restated, meaningfulRows, families }) => [
      day,
      row.cik,
      list,
      row.entity_name,
      row.ticker ?? null,
      row.issuer_class ?? null,
      row.pre_ipo_likelihood ?? null,
      row.delta_size ?? 0,
      row.fact_changes ?? 0,
      restated,
      meaningfulRows,
      families.crypto ?? 0,
      canonicalJson(row as CanonicalValue),
    ]),
  });
  await insertRows(connection, {
    table: 'daily_change_night',
    rows: [
      [day, verdict.passed, [...verdict.reasons], [...verdict.notes], canonicalJson(today as CanonicalValue)],
    ],
  });
}

const nightTables = [
  'stress_row',
  'alpha_row',
  'cross_section_row',
  'daily_change_row',
  'daily_change_night',
  'filing_event',
];

/**
 * Removes what a withdrawn night left in the warehouse. What its scan found waits for the next night, as that of a night
 * that was never published does (M6.4); where a later night was compared with it, the scan stays on record.
 *
 * @param input.published dates that still answer
 */
export async function forgetNight(
  connection: DuckDBConnection,
  { sourceDate, published }: { readonly sourceDate: string; readonly published: readonly string[] },
): Promise<void> {
  await inTransaction(connection, async () => {
    const scans = await readRows<{ day: string }>(
      connection,
      'SELECT scan_date::VARCHAR AS day FROM archive_scan WHERE scan_date > $day::DATE',
      { day: sourceDate },
    );
    const isBase = scans.some(({ day }) => published.includes(day));
    if (!isBase) await takeBackUnseen(connection, { sourceDate, published });
    for (const table of nightTables)
      await connection.run(`DELETE FROM ${table} WHERE source_date = $day::DATE`, { day: sourceDate });
  });
}
