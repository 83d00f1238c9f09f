import type { DuckDBConnection } from '@duckdb/node-api';

export type Cell = string | number | boolean | null | readonly string[] | readonly Struct[];
type Struct = Readonly<Record<string, string | boolean>>;
type SqlType = string | readonly string[] | readonly Readonly<Record<string, string>>[];

/** Column names with their SQL types; a list type is written as a list of one: `['VARCHAR']`. */
export type Columns = Readonly<Record<string, SqlType>>;

const batchRows = 5_000;

/**
 * Inserts rows given as arrays in the order of `columns` (name to SQL type); returns how many.
 *
 * Rows travel as JSON text, one statement a batch: exact for strings, dates written as ISO text and doubles.
 */
export async function insertRows(
  connection: DuckDBConnection,
  input: { readonly table: string; readonly columns: Columns; readonly rows: readonly (readonly Cell[])[] },
): Promise<number> {
  await insertBatches(connection, { ...input, batches: rowBatches(input.columns, input.rows) });
  return input.rows.length;
}

/** Writes rows as the JSON texts {@link insertBatches} takes; a worker thread can do so. */
export function* rowBatches(
  columns: Columns,
  rows: readonly (readonly Cell[])[],
): Generator<string, void, undefined> {
  const names = Object.keys(columns);
  for (let at = 0; at < rows.length; at += batchRows) {
    const batch = rows.slice(at, at + batchRows);
    yield JSON.stringify(
      batch.map((row) => Object.fromEntries(names.map((name, i) => [name, well(row[i] ?? null)]))),
    );
  }
}

/** Inserts rows that {@link rowBatches} wrote for the same columns. */
export async function insertBatches(
  connection: DuckDBConnection,
  {
    table,
    columns,
    batches,
  }: { readonly table: string; readonly columns: Columns; readonly batches: Iterable<string> },
): Promise<void> {
  const names = Object.keys(columns);
  const shape = JSON.stringify([columns]);
  const list = names.map((name) => `"${name}"`).join(', ');
  const sql =
    `INSERT INTO ${table} (${list}) SELECT ${list} FROM ` +
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
