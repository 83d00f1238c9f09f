import type { DuckDBConnection } from '@duckdb/node-api';

/** rows of one range, so that memory does not grow with the archive */
const rangeRows = 2_000_000n;

/** Neighbouring Central Index Keys, both ends included. */
export type CikRange = { readonly from: number; readonly to: number };

/** Splits the rows of `source`, a query with a column cik, into ranges of about two million rows; one cik is never split. */
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
