import type { DuckDBConnection } from '@duckdb/node-api';
import type { FactorRow } from '../../calculators/market/factors/factorRow.ts';
import type { BucketLength } from '../../calculators/market/marketBucket.ts';
import type { PlannedSegment } from '../../data/contract/history/segmentList.ts';
import { factorMethod, rowOfStored } from '../market/factorRows.ts';
import type { DayRows } from './storedMarket.ts';

/** Rows of one product, ascending. */
export type ProductRows = {
  /** Available rows before the segment. */
  readonly before: readonly FactorRow[];
  /** Those of the segment. */
  readonly own: readonly FactorRow[];
};

/** The rows of one date by product. */
export type NewestRows = { readonly date: string; readonly rows: ReadonlyMap<string, ProductRows> };

/** The rows of a segment by product. */
export type FactorReader = (segment: PlannedSegment) => Promise<ReadonlyMap<string, ProductRows>>;

/** Rows that are read with one statement, unless a segment has more: what is in memory stays bounded. */
const batchRows = 8_192;

type Stored = {
  readonly day: string;
  readonly available: boolean;
  readonly payload: string;
};

type Batch = {
  readonly from: string;
  readonly to: string;
  /** By product, ascending. */
  readonly rows: ReadonlyMap<string, readonly Stored[]>;
};

/**
 * Reads the factor rows of a length segment by segment: a statement brings as many segments as fit, since most have
 * few rows. Fastest in order; asked for the same segment again it answers from memory.
 *
 * @param days the dates that have a row, ascending
 * @param before how many available rows before a segment come with it
 * @param newest what was read of one date already: its segment is not read again
 */
export function factorReader(
  connection: DuckDBConnection,
  {
    length,
    days,
    before,
    newest,
  }: {
    readonly length: BucketLength;
    readonly days: ReadonlyMap<string, DayRows>;
    readonly before: number;
    readonly newest: NewestRows | null;
  },
): FactorReader {
  let batch: Batch | null = null;
  let last: { readonly period: string; readonly found: ReadonlyMap<string, ProductRows> } | null = null;

  async function batchOf(from: string, to: string): Promise<Batch> {
    if (batch !== null && batch.from <= from && to <= batch.to) return batch;
    let [end, held] = [to, 0];
    for (const [date, { rows }] of days) {
      if (date < from) continue;
      held += rows;
      if (date > to && held > batchRows) break;
      if (date > to) end = date;
    }
    batch = { from, to: end, rows: await storedRows(connection, { length, from, to: end, before }) };
    return batch;
  }

  return async (segment) => {
    if (last?.period === segment.period) return last.found;
    const [from, to] = [segment.dates[0] ?? '', segment.dates.at(-1) ?? ''];
    if (newest !== null && from === newest.date && to === newest.date) return newest.rows;
    const { rows } = await batchOf(from, to);
    const found = new Map(
      [...rows].map(([product, all]) => [
        product,
        {
          before: all
            .filter(({ day, available }) => available && day < from)
            .slice(-before)
            .map(rowOf),
          own: all.filter(({ day }) => from <= day && day <= to).map(rowOf),
        },
      ]),
    );
    last = { period: segment.period, found };
    return found;
  };
}

function rowOf({ payload }: Stored): FactorRow {
  return rowOfStored(payload);
}

async function storedRows(
  connection: DuckDBConnection,
  {
    length,
    from,
    to,
    before,
  }: { readonly length: BucketLength; readonly from: string; readonly to: string; readonly before: number },
): Promise<ReadonlyMap<string, readonly Stored[]>> {
  const result = await connection.run(
    // two scans: rows of a range by its bounds, the few before it by key, so that no other payload is unpacked
    `WITH earlier AS MATERIALIZED (
      SELECT product, unnest(max(bucket_ms, ${before})) AS bucket_ms FROM market_factor
      WHERE bucket_length = $length AND method_version = $version AND available AND source_date < $from::DATE
      GROUP BY product
    )
    SELECT product, source_date::VARCHAR, available, payload, bucket_ms FROM market_factor
    WHERE bucket_length = $length AND method_version = $version AND source_date BETWEEN $from::DATE AND $to::DATE
    UNION ALL
    SELECT product, source_date::VARCHAR, available, payload, bucket_ms
    FROM market_factor JOIN earlier USING (product, bucket_ms)
    WHERE bucket_length = $length AND method_version = $version
    ORDER BY product, bucket_ms`,
    { length, version: factorMethod, from, to },
  );
  const rows = await result.getRowsJS();
  return Map.groupBy(
    rows.map(([product, day, available, payload]) => ({
      product: String(product),
      day: String(day),
      available: available === true,
      payload: String(payload),
    })),
    ({ product }) => product,
  );
}
