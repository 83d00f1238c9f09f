import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../warehouse/build/inTransaction.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import { takeBackUnseen } from '../warehouse/load/recordScan.ts';

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
    const scans = await readRows(
      connection,
      'SELECT scan_date::VARCHAR AS day FROM archive_scan WHERE scan_date > $day::DATE',
      { day: sourceDate },
    );
    const isBase = scans.some((scan) => published.includes(String(scan['day'])));
    if (!isBase) await takeBackUnseen(connection, { sourceDate, published });
    for (const table of nightTables)
      await connection.run(`DELETE FROM ${table} WHERE source_date = $day::DATE`, { day: sourceDate });
  });
}
