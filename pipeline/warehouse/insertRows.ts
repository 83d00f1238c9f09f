import type { DuckDBConnection } from '@duckdb/node-api';

export type Cell = string | number | boolean | null | readonly string[];

const BATCH = 5_000;

/**
 * Inserts rows given as arrays in the order of `columns` (name to SQL type); returns how many.
 *
 * Rows travel as JSON text, one statement a batch: exact for strings, dates written as ISO text and doubles.
 */
export async function insertRows(
  connection: DuckDBConnection,
  o: {
    readonly table: string;
    readonly columns: Readonly<Record<string, string | readonly string[]>>;
    readonly rows: readonly (readonly Cell[])[];
  },
): Promise<number> {
  const names = Object.keys(o.columns);
  const shape = JSON.stringify([Object.fromEntries(names.map((name) => [name, o.columns[name]]))]);
  const list = names.map((name) => `"${name}"`).join(', ');
  const sql =
    `INSERT INTO ${o.table} (${list}) SELECT ${list} FROM ` +
    `(SELECT unnest(from_json($rows::JSON, '${shape}'), max_depth := 2))`;
  for (let at = 0; at < o.rows.length; at += BATCH) {
    const batch = o.rows.slice(at, at + BATCH);
    const objects = batch.map((row) => Object.fromEntries(names.map((name, i) => [name, well(row[i])])));
    await connection.run(sql, { rows: JSON.stringify(objects) });
  }
  return o.rows.length;
}

// half a surrogate pair is not text a database can hold
function well(cell: Cell | undefined): Cell {
  if (typeof cell === 'string') return cell.toWellFormed();
  if (cell === undefined) return null;
  return Array.isArray(cell) ? cell.map((c: string) => c.toWellFormed()) : cell;
}
