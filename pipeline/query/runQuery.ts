import { open, rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { diskFiles, moveInto } from '../../data/store/files/replaceFile.ts';
import type { Database } from '../warehouse/build/openDatabase.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { storeError } from '../warehouse/build/storeError.ts';
import { coverageNotices } from './coverageNotices.ts';
import { describedView } from './describeView.ts';
import { type ReadingKind, readingKind } from './oneStatement.ts';
import { queryError } from './queryError.ts';
import { type MoreRows, moreRows, rowPrinter, type TextFormat } from './queryFormat.ts';
import { type TableFormat, writeTable } from './writeTable.ts';

export type QueryFormat = TextFormat | FileFormat;
type FileFormat = Exclude<TableFormat, 'csv'>;

// beyond that it is enough to know that there are many
const mostCounted = 1_000_000;

type Write = (text: string) => void | Promise<void>;

/**
 * Answers one read-only SQL statement from a finished build, `issuer query` in effect.
 *
 * Rows stream through `write`, or into `output`, which appears whole or not at all; Parquet and Arrow need `output`.
 * Of a text format at most `limit` rows are shown and the rest is counted. The query sees nothing but the warehouse
 * and is stopped after `timeLimitMs`. `notice` gets what a reader must know of the result beside it. @throws IssuerError
 * `input_missing` without a warehouse, `locked` while another process writes to it, `usage` for anything but one SELECT
 * that fits it, `interrupted` at the time limit, `store_unwritable` when `output` cannot be written.
 */
export async function runQuery(input: {
  readonly databasePath: string;
  readonly sql: string;
  readonly format: QueryFormat;
  readonly output?: string;
  readonly timeLimitMs: number;
  readonly limit?: number | null;
  readonly write: Write;
  readonly notice?: (text: string) => void;
}): Promise<void> {
  const { format } = input;
  if (isFile(format) && input.output === undefined) {
    throw new IssuerError({
      code: 'usage',
      message: `${formatNames[format]} cannot be written to a terminal.`,
      hint: 'Name a file with --output.',
    });
  }
  const partial = input.output === undefined ? null : `${input.output}.partial`;
  if (partial !== null) await claim(partial);
  try {
    const output = isFile(format) ? partial : null;
    const database = await openWarehouse(input.databasePath, { outputs: output === null ? [] : [output] });
    await limited({ ...input, database }, async () => {
      const { connection } = database;
      const asked = { ...input, sql: describedView(input.sql) ?? input.sql };
      const kind = await readingKind(connection, asked.sql);
      if (isFile(format)) await copyRows(connection, { ...asked, kind, format, partial: partial ?? '' });
      else if (partial === null) await print(connection, { ...asked, format });
      else await printToFile(connection, { ...asked, format, partial });
      if (input.notice !== undefined) await tellGaps(database, { sql: asked.sql, notice: input.notice });
    });
    if (partial !== null && input.output !== undefined)
      await moveInto({ files: diskFiles, from: partial, to: input.output });
  } catch (error) {
    if (partial !== null) await rm(partial, { force: true });
    throw partial === null ? error : storeError(error, input.output ?? '');
  }
}

/** Fails before the query runs when the output cannot be written. */
async function claim(partial: string): Promise<void> {
  try {
    await (await open(partial, 'w')).close();
  } catch (error) {
    throw storeError(new Error(`IO Error: ${(error as Error).message}`, { cause: error }), partial);
  }
}

/** Runs `act`, stops it at the time limit, and closes the database in any case. */
async function limited(
  { database, timeLimitMs }: { readonly database: Database; readonly timeLimitMs: number },
  act: () => Promise<void>,
): Promise<void> {
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    database.connection.interrupt();
  }, timeLimitMs);
  try {
    await act();
  } catch (error) {
    if (!late) throw queryError(error);
    throw new IssuerError({
      code: 'interrupted',
      message: `The query ran longer than ${timeLimitMs / 1000} s and was stopped.`,
      hint: 'Narrow it with WHERE or LIMIT, or give it more time with --timeout.',
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    database.close();
  }
}

async function tellGaps(
  database: Database,
  { sql, notice }: { readonly sql: string; readonly notice: (text: string) => void },
): Promise<void> {
  const beside = await database.connect();
  try {
    for (const text of await coverageNotices(beside, sql)) notice(text);
  } finally {
    beside.closeSync();
  }
}

type TextRequest = {
  readonly sql: string;
  readonly format: TextFormat;
  readonly limit?: number | null;
  readonly notice?: (text: string) => void;
};

async function print(
  connection: DuckDBConnection,
  { sql, format, limit = null, notice, write }: TextRequest & { readonly write: Write },
): Promise<void> {
  const result = await connection.stream(sql);
  const printer = rowPrinter(format, result.deduplicatedColumnNames());
  await write(printer.head());
  let left = limit ?? Number.POSITIVE_INFINITY;
  let beyond = 0;
  for await (const chunk of result) {
    if (left > 0) await write(printer.rows(chunk.getRows().slice(0, left)));
    beyond += Math.max(0, chunk.rowCount - left);
    left = Math.max(0, left - chunk.rowCount);
    if (beyond > mostCounted) break;
  }
  const isExact = beyond <= mostCounted;
  const more: MoreRows = beyond === 0 ? null : { rows: isExact ? beyond : mostCounted, isExact };
  await write(printer.tail(more));
  if (more !== null && (format === 'csv' || format === 'json')) notice?.(moreRows(more));
}

async function printToFile(
  connection: DuckDBConnection,
  input: TextRequest & { readonly partial: string },
): Promise<void> {
  const handle = await open(input.partial, 'w');
  try {
    await print(connection, {
      ...input,
      write: async (text) => {
        await handle.writeFile(text);
      },
    });
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function copyRows(
  connection: DuckDBConnection,
  {
    sql,
    kind,
    format,
    partial,
  }: {
    readonly sql: string;
    readonly kind: ReadingKind;
    readonly format: FileFormat;
    readonly partial: string;
  },
): Promise<void> {
  if (kind === 'plan') {
    throw new IssuerError({
      code: 'usage',
      message: `An EXPLAIN cannot be written as ${formatNames[format]}.`,
      hint: 'Choose the format table.',
    });
  }
  await writeTable(connection, { format, sql, path: partial });
}

const formatNames = { parquet: 'Parquet', arrow: 'Arrow' } as const;

function isFile(format: QueryFormat): format is FileFormat {
  return format in formatNames;
}
