import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoted } from '../warehouse/build/openDatabase.ts';
import { rowPrinter } from './queryFormat.ts';

/** Formats of a file of rows; each is its suffix, too. */
export const tableFormats = ['parquet', 'arrow', 'csv'] as const;
export type TableFormat = (typeof tableFormats)[number];

// rows of a group are read together: a reader of one issuer skips the groups of others by their least and greatest CIK
const rowsOfGroup = 122_880;

export type TableRequest = {
  /** One statement that reads. */
  readonly sql: string;
  readonly path: string;
  /** What the rows are, and which columns make one; Parquet carries it. */
  readonly about?: { readonly view: string; readonly comment: string; readonly key: readonly string[] };
  /** What columns hold, by name; Parquet and Arrow carry it. */
  readonly comments?: ReadonlyMap<string, string>;
};

/**
 * Writes the rows of a statement into a file: Parquet (zstd), an Arrow IPC file, or the CSV that `issuer query` prints.
 *
 * In Parquet and Arrow an instant is marked as UTC, and a decimal is a double that programs calculate with, beside a
 * column `<name>_exact` of its digits as text (STORE ST18).
 *
 * @returns number of rows
 */
export async function writeTable(
  connection: DuckDBConnection,
  { format, ...request }: TableRequest & { readonly format: TableFormat },
): Promise<number> {
  switch (format) {
    case 'parquet':
      return writeParquet(connection, { ...request, sql: await calculableSql(connection, request.sql) });
    case 'csv':
      return writeCsv(connection, request);
    case 'arrow': {
      // the library takes 60 ms to load, which no other format pays
      const { writeArrow } = await import('./writeArrow.ts');
      return writeArrow(connection, { ...request, sql: await calculableSql(connection, request.sql) });
    }
  }
}

type Column = { readonly name: string; readonly type: string };

/** The rows of a statement in types that data frames calculate with. */
async function calculableSql(connection: DuckDBConnection, sql: string): Promise<string> {
  const rows = sql.replace(/[;\s]+$/, '');
  const described = await connection.runAndReadAll(`DESCRIBE (\n${rows}\n)`);
  const columns = described.getRows().map(([name, type]) => ({ name: String(name), type: String(type) }));
  const list = calculableColumns(columns).map(({ name, from }) => `${from} AS ${quotedName(name)}`);
  return `SELECT ${list.join(', ')} FROM (\n${rows}\n)`;
}

/** The columns of a Parquet or Arrow file of rows with these columns, each with the expression that gives it. */
export function calculableColumns<C extends Column>(
  columns: readonly C[],
): readonly (C & { readonly from: string })[] {
  const names = new Set(columns.map(({ name }) => name));
  return columns.flatMap((column) => {
    const from = quotedName(column.name);
    if (column.type === 'TIMESTAMP') {
      return [{ ...column, type: 'TIMESTAMP WITH TIME ZONE', from: `${from} AT TIME ZONE 'UTC'` }];
    }
    if (!column.type.startsWith('DECIMAL(') || column.type.endsWith(']')) return [{ ...column, from }];
    const double = { ...column, type: 'DOUBLE', from: `${from}::DOUBLE` };
    const exact = { ...column, name: `${column.name}_exact`, type: 'VARCHAR', from: exactText(from) };
    return names.has(exact.name) ? [double] : [double, exact];
  });
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The digits of a decimal without the zeros of its column's scale. */
function exactText(column: string): string {
  const text = `${column}::VARCHAR`;
  return `if(contains(${text}, '.'), rtrim(rtrim(${text}, '0'), '.'), ${text})`;
}

async function writeParquet(
  connection: DuckDBConnection,
  { sql, path, about, comments }: TableRequest,
): Promise<number> {
  const metadata = {
    ...(about === undefined ? {} : { view: about.view, comment: about.comment, key: about.key.join(', ') }),
    ...(comments === undefined ? {} : { columns: JSON.stringify(Object.fromEntries(comments)) }),
  };
  const entries = Object.entries(metadata).map(([name, value]) => `${name}: ${quoted(value)}`);
  const result = await connection.runAndReadAll(
    `COPY (\n${sql}\n) TO ${quoted(path)}
      (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowsOfGroup}, USE_TMP_FILE false${
        entries.length === 0 ? '' : `, KV_METADATA {${entries.join(', ')}}`
      })`,
  );
  return Number(result.getRows()[0]?.[0] ?? 0);
}

async function writeCsv(connection: DuckDBConnection, { sql, path }: TableRequest): Promise<number> {
  const result = await connection.stream(sql);
  const printer = rowPrinter('csv', result.deduplicatedColumnNames());
  let rows = 0;
  async function* text() {
    yield printer.head();
    for await (const chunk of result) {
      rows += chunk.rowCount;
      yield printer.rows(chunk.getRows());
    }
  }
  await pipeline(Readable.from(text()), createWriteStream(path));
  return rows;
}
