import {
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBDateValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';

/** Rows of one vector of the database. */
const chunkRows = 2_048;

/**
 * Appends rows to a table of schema `internal`, cells in the order of its columns; returns how many.
 *
 * Columns travel as vectors, so that a hundred thousand rows cost little; `insertRows` takes columns by name and lists.
 */
export async function appendRows(
  connection: DuckDBConnection,
  { table, rows }: { readonly table: string; readonly rows: Iterable<readonly DuckDBValue[]> },
): Promise<number> {
  const appender = await connection.createAppender(table, 'internal');
  const types = Array.from({ length: appender.columnCount }, (_, i) => appender.columnType(i));
  let columns: DuckDBValue[][] = types.map(() => []);
  let count = 0;
  const flush = () => {
    const length = columns[0]?.length ?? 0;
    if (length === 0) return;
    const chunk = DuckDBDataChunk.create(types, length);
    chunk.setColumns(columns);
    appender.appendDataChunk(chunk);
    columns = types.map(() => []);
  };
  try {
    for (const row of rows) {
      columns.forEach((column, i) => {
        column.push(cellOf(row[i] ?? null, types[i]));
      });
      count += 1;
      if (count % chunkRows === 0) flush();
    }
    flush();
  } finally {
    appender.closeSync();
  }
  return count;
}

/** Days are written as ISO text and travel as numbers. */
function cellOf(value: DuckDBValue, type: DuckDBType | undefined): DuckDBValue {
  if (typeof value !== 'string' || type?.typeId !== DuckDBTypeId.DATE) return value;
  return new DuckDBDateValue(Date.parse(`${value}T00:00:00Z`) / 86_400_000);
}
