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
  /** What columns hold, by name; Arrow fields carry it. */
  readonly comments?: ReadonlyMap<string, string>;
};

/**
 * Writes the rows of a statement into a file: Parquet (zstd), an Arrow IPC file, or the CSV that `issuer query` prints.
 *
 * @returns number of rows
 */
export async function writeTable(
  connection: DuckDBConnection,
  { format, ...request }: TableRequest & { readonly format: TableFormat },
): Promise<number> {
  switch (format) {
    case 'parquet':
      return writeParquet(connection, request);
    case 'csv':
      return writeCsv(connection, request);
    case 'arrow': {
      // the library takes 60 ms to load, which no other format pays
      const { writeArrow } = await import('./writeArrow.ts');
      return writeArrow(connection, request);
    }
  }
}

async function writeParquet(connection: DuckDBConnection, { sql, path }: TableRequest): Promise<number> {
  const result = await connection.runAndReadAll(
    `COPY (\n${sql.replace(/[;\s]+$/, '')}\n) TO ${quoted(path)}
      (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${rowsOfGroup}, USE_TMP_FILE false)`,
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
