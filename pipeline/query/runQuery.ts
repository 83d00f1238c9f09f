import { open, rm } from 'node:fs/promises';
import { type DuckDBConnection, StatementType } from '@duckdb/node-api';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { diskFiles, moveInto } from '../../contract/files/replaceFile.ts';
import { type Database, quoted } from '../warehouse/build/openDatabase.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { storeError } from '../warehouse/build/storeError.ts';
import { queryError } from './queryError.ts';
import { rowPrinter } from './queryFormat.ts';

export type QueryFormat = 'table' | 'csv' | 'json' | 'parquet';

type Write = (text: string) => void | Promise<void>;

/**
 * Answers one read-only SQL statement from a finished build, `issuer query` in effect.
 *
 * Rows stream through `write`, or into `output`, which appears whole or not at all; Parquet needs `output`.
 * The query sees nothing but the warehouse and is stopped after `timeLimitMs`. @throws IssuerError
 * `input_missing` without a warehouse, `locked` while another process writes to it, `usage` for anything but one SELECT
 * that fits it, `interrupted` at the time limit, `store_unwritable` when `output` cannot be written.
 */
export async function runQuery(input: {
  readonly databasePath: string;
  readonly sql: string;
  readonly format: QueryFormat;
  readonly output?: string;
  readonly timeLimitMs: number;
  readonly write: Write;
}): Promise<void> {
  if (input.format === 'parquet' && input.output === undefined) {
    throw new IssuerError({
      code: 'usage',
      message: 'Parquet cannot be written to a terminal.',
      hint: 'Name a file with --output.',
    });
  }
  const partial = input.output === undefined ? null : `${input.output}.partial`;
  if (partial !== null) await claim(partial);
  try {
    const output = input.format === 'parquet' ? partial : null;
    const database = await openWarehouse(input.databasePath, output);
    await limited({ ...input, database }, async () => {
      const { connection } = database;
      const type = await statementType(connection, input.sql);
      if (input.format === 'parquet')
        await copyParquet(connection, { ...input, type, partial: partial ?? '' });
      else if (partial === null) await print(connection, { ...input, format: input.format });
      else await printToFile(connection, { ...input, format: input.format, partial });
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
      hint: 'Narrow it with WHERE or LIMIT, or give it more time with --time-limit.',
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    database.close();
  }
}

async function statementType(connection: DuckDBConnection, sql: string): Promise<StatementType> {
  const refuse = (message: string) =>
    new IssuerError({ code: 'usage', message, hint: 'Give one SELECT, WITH, DESCRIBE, SHOW or EXPLAIN.' });
  const statements = await connection.extractStatements(sql).catch((error: Error) => {
    // a text of blanks and comments has no statement, which the client reports as a fault of its own
    if (error.message === 'Error in native callback') return null;
    throw error;
  });
  const count = statements?.count ?? 0;
  if (statements === null || count !== 1) throw refuse(`The query holds ${count} statements instead of one.`);
  const prepared = await statements.prepare(0);
  const type = prepared.statementType;
  prepared.destroySync();
  if (type !== StatementType.SELECT && type !== StatementType.EXPLAIN) {
    throw refuse(`The query is a statement of kind ${StatementType[type]}, which does not read.`);
  }
  return type;
}

async function print(
  connection: DuckDBConnection,
  {
    sql,
    format,
    write,
  }: { readonly sql: string; readonly format: 'table' | 'csv' | 'json'; readonly write: Write },
): Promise<void> {
  const result = await connection.stream(sql);
  const printer = rowPrinter(format, result.deduplicatedColumnNames());
  await write(printer.head());
  for await (const chunk of result) await write(printer.rows(chunk.getRows()));
  await write(printer.tail());
}

async function printToFile(
  connection: DuckDBConnection,
  input: { readonly sql: string; readonly format: 'table' | 'csv' | 'json'; readonly partial: string },
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

async function copyParquet(
  connection: DuckDBConnection,
  { sql, type, partial }: { readonly sql: string; readonly type: StatementType; readonly partial: string },
): Promise<void> {
  if (type !== StatementType.SELECT) {
    throw new IssuerError({
      code: 'usage',
      message: 'An EXPLAIN cannot be written as Parquet.',
      hint: 'Choose the format table.',
    });
  }
  const query = sql.replace(/[;\s]+$/, '');
  await connection.run(
    `COPY (\n${query}\n) TO ${quoted(partial)} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)`,
  );
}
