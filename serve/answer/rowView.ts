import type { StoredRows } from '../artifactStore.ts';

export type ColumnValue = string | number | boolean | null | readonly string[];

/** Numbers of the rows for which every condition holds, in stored order (I4.33). */
export function selectRows(
  rows: StoredRows,
  conditions: readonly (readonly [column: string, holds: (value: ColumnValue) => boolean])[],
): number[] {
  const tested = conditions.map(([column, holds]) => ({ values: rows.index.columns[column], holds }));
  const picked: number[] = [];
  for (let row = 0; row < rows.index.rows; row += 1) {
    if (tested.every(({ values, holds }) => holds(values?.[row] ?? null))) picked.push(row);
  }
  return picked;
}

/** Stored bytes of one row, without its line end. */
export function rowBytes(rows: StoredRows, row: number): Buffer {
  const start = rows.index.offsets[row] ?? 0;
  const end = rows.index.offsets[row + 1] ?? start;
  return rows.bytes.subarray(start, rows.bytes[end - 1] === 0x0a ? end - 1 : end);
}

/** An open object of stored rows: `{"<list>":[row,row…]<rest>`; no row is parsed (I4.33). */
export function assembleRows(o: {
  rows: StoredRows;
  picked: readonly number[];
  list: string;
  rest: string;
}): Buffer {
  const comma = Buffer.from(',');
  const parts: Buffer[] = [Buffer.from(`{"${o.list}":[`)];
  o.picked.forEach((row, i) => {
    if (i > 0) parts.push(comma);
    parts.push(rowBytes(o.rows, row));
  });
  parts.push(Buffer.from(`]${o.rest}`));
  return Buffer.concat(parts);
}
