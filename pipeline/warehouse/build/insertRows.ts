import type { DuckDBConnection } from '@duckdb/node-api';

export type Cell = string | number | boolean | null | readonly string[] | readonly Struct[];
type Struct = Readonly<Record<string, string | boolean>>;

/** A table of a build as its script declares it: the SQL type of each column, in their order. */
export type Table = { readonly name: string; readonly types: Readonly<Record<string, string>> };

/** Asks the build for the columns of a table; who inserts into one often asks once. */
export async function tableOf(connection: DuckDBConnection, name: string): Promise<Table> {
  const result = await connection.run(`FROM ${name} LIMIT 0`);
  const types = result.columnTypes().map(String);
  return {
    name,
    types: Object.fromEntries(result.columnNames().map((column, i) => [column, types[i] ?? ''])),
  };
}

const batchRows = 5_000;

/** Cells under the names of the columns; a column that is not named is null. */
export type RowRecord = Readonly<Record<string, unknown>>;

/** Cells in the order of the table's columns, or under the names of them; what is no column is not taken. */
export type Row = readonly Cell[] | RowRecord;

/**
 * Inserts rows; returns how many.
 *
 * Rows travel as JSON text, one statement a batch: exact for strings, dates written as ISO text and doubles.
 */
export async function insertRows(
  connection: DuckDBConnection,
  { table: named, rows }: { readonly table: string | Table; readonly rows: readonly Row[] },
): Promise<number> {
  if (rows.length === 0) return 0;
  const table = typeof named === 'string' ? await tableOf(connection, named) : named;
  const columns = Object.keys(table.types);
  const records = rows.map((row) => {
    const cells: RowRecord = Object(row);
    const isList = Array.isArray(row);
    return Object.fromEntries(columns.map((column, i) => [column, cells[isList ? i : column] ?? null]));
  });
  await insertBatches(connection, { table, batches: rowBatches(records) });
  return rows.length;
}

/** Writes rows as the JSON texts {@link insertBatches} takes; a worker thread can do so. */
export function* rowBatches(rows: readonly RowRecord[]): Generator<string, void, undefined> {
  for (let at = 0; at < rows.length; at += batchRows) {
    yield JSON.stringify(rows.slice(at, at + batchRows).map(well));
  }
}

/** Inserts rows that {@link rowBatches} wrote. */
export async function insertBatches(
  connection: DuckDBConnection,
  { table: { name, types }, batches }: { readonly table: Table; readonly batches: Iterable<string> },
): Promise<void> {
  const shape = JSON.stringify([types]);
  const sql =
    `INSERT INTO ${name} BY NAME SELECT * FROM ` +
    `(SELECT unnest(from_json($rows::JSON, '${shape}'), max_depth := 2))`;
  for (const rows of batches) await connection.run(sql, { rows });
}

// half a surrogate pair is not text a database can hold
function well<T>(cell: T): T;
function well(cell: unknown): unknown {
  if (typeof cell === 'string') return cell.toWellFormed();
  if (Array.isArray(cell)) return cell.map(well);
  if (cell === null || typeof cell !== 'object') return cell;
  return Object.fromEntries(Object.entries(cell).map(([name, value]) => [name, well(value)]));
}
