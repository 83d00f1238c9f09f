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

type Rows = {
  readonly table: string | Table;
  /** Columns of the cells where they are not those of the table in its order. */
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};

/**
 * Inserts rows given as arrays, cells in the order of the table's columns or of those named; returns how many.
 *
 * Rows travel as JSON text, one statement a batch: exact for strings, dates written as ISO text and doubles.
 */
export async function insertRows(
  connection: DuckDBConnection,
  { table, columns, rows }: Rows,
): Promise<number> {
  if (rows.length === 0) return 0;
  const known = typeof table === 'string' ? await tableOf(connection, table) : table;
  const names = columns ?? Object.keys(known.types);
  await insertBatches(connection, { table: known, columns: names, batches: rowBatches(names, rows) });
  return rows.length;
}

/** Writes rows as the JSON texts {@link insertBatches} takes; a worker thread can do so. */
export function* rowBatches(
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Generator<string, void, undefined> {
  for (let at = 0; at < rows.length; at += batchRows) {
    const batch = rows.slice(at, at + batchRows);
    yield JSON.stringify(
      batch.map((row) => Object.fromEntries(columns.map((name, i) => [name, well(row[i] ?? null)]))),
    );
  }
}

/** Inserts rows that {@link rowBatches} wrote for the same columns. */
export async function insertBatches(
  connection: DuckDBConnection,
  {
    table: { name, types },
    columns,
    batches,
  }: { readonly table: Table; readonly columns: readonly string[]; readonly batches: Iterable<string> },
): Promise<void> {
  const shape = JSON.stringify([Object.fromEntries(columns.map((column) => [column, types[column]]))]);
  const list = columns.map((column) => `"${column}"`).join(', ');
  const sql =
    `INSERT INTO ${name} (${list}) SELECT ${list} FROM ` +
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
