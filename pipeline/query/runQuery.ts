import { open, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type DuckDBConnection, StatementType } from '@duckdb/node-api';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { diskFiles, moveInto, nameBeside } from '../../data/store/files/replaceFile.ts';
import { findIssuer } from '../explain/findRow.ts';
import { namedFile } from '../namedFile.ts';
import { type Database, quoted } from '../warehouse/build/openDatabase.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { readRows, storeError } from '../warehouse/build/readRows.ts';
import { asOfViews, nearestColumns, queryError } from './queryError.ts';
import { type MoreRows, moreRows, rowPrinter, type TextFormat } from './queryFormat.ts';
import { type TableFormat, writeTable } from './writeTable.ts';

export type QueryFormat = TextFormat | FileFormat;
type FileFormat = Exclude<TableFormat, 'csv'>;

/** How long an interrupted statement has to stop. */
const stopMs = 1000;

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
 * that fits it, for a ticker of no issuer and an `output` that is no plain file or the program's own, `interrupted` at the time limit, `store_unwritable` when `output` cannot be written.
 */
export async function runQuery(input: {
  readonly databasePath: string;
  readonly sql: string;
  readonly format: QueryFormat;
  readonly output?: string;
  readonly timeLimitMs: number;
  readonly limit?: number | null;
  /** Thousands apart in `table` and `vertical`. */
  readonly grouped?: boolean;
  /** What `getvariable('<name>')` gives the statement. */
  readonly variables?: ReadonlyMap<string, string>;
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
  const root = dirname(dirname(resolve(input.databasePath)));
  const to = input.output === undefined ? null : await namedFile(input.output, root);
  const partial = to === null ? null : nameBeside(to, 'partial');
  if (partial !== null) await claim(partial, to ?? '');
  try {
    const output = isFile(format) ? partial : null;
    const database = await openWarehouse(input.databasePath, { outputs: output === null ? [] : [output] });
    await limited({ ...input, database }, async () => {
      const { connection } = database;
      for (const [name, value] of input.variables ?? []) {
        if (!readVariables(input.sql).includes(name.toLowerCase())) throw unreadVariable(name, input.sql);
        const issuer = name.toLowerCase() === 'ticker' ? await findIssuer(connection, value) : null;
        await connection.run(`SET VARIABLE "${name}" = ${quoted(issuer?.ticker ?? value)}`);
      }
      const asked = { ...input, sql: describedView(input.sql) ?? input.sql };
      const kind = await readingKind(connection, asked.sql);
      if (isFile(format)) await copyRows(connection, { ...asked, kind, format, partial: partial ?? '' });
      else if (partial === null) await print(connection, { ...asked, format });
      else await printToFile(connection, { ...asked, format, partial });
      if (input.notice !== undefined) await tellGaps(database, { sql: asked.sql, notice: input.notice });
    });
    if (partial !== null && to !== null) await moveInto({ files: diskFiles, from: partial, to });
  } catch (error) {
    if (partial !== null) await rm(partial, { force: true });
    throw to === null ? error : storeError(error, to, 'output');
  }
}

/** Names that a statement reads by `getvariable`; another word spelled alike, such as a column, is none. */
function readVariables(sql: string): readonly string[] {
  return [...sql.matchAll(/getvariable\(\s*'(\w+)'\s*\)/gi)].map(([, name = '']) => name.toLowerCase());
}

function unreadVariable(name: string, sql: string): IssuerError {
  const [read] = readVariables(sql);
  const instead = read === undefined ? "read it with getvariable('<name>')" : `set ${read}`;
  return new IssuerError({
    code: 'usage',
    message: `The statement reads no value ${name.slice(0, 60)}.`,
    hint: `Leave --set away, or ${instead}; an example says in its question what can be set.`,
  });
}

/** Fails before the query runs when the output cannot be written. */
async function claim(partial: string, to: string): Promise<void> {
  try {
    await (await open(partial, 'wx')).close();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw storeError(new Error(`IO Error: ${code ?? message}`, { cause: error }), to, 'output');
  }
}

/**
 * Runs `act`, stops it at the time limit, and closes the database in any case but one: a single function of the database
 * that does not stop when it is interrupted keeps its thread until the process ends.
 */
async function limited(
  {
    database,
    sql,
    timeLimitMs,
  }: { readonly database: Database; readonly sql: string; readonly timeLimitMs: number },
  act: () => Promise<void>,
): Promise<void> {
  let late = false;
  const unstopped = Promise.withResolvers<'unstopped'>();
  const timers = [
    setTimeout(() => {
      late = true;
      database.connection.interrupt();
    }, timeLimitMs),
    setTimeout(() => unstopped.resolve('unstopped'), timeLimitMs + stopMs),
  ];
  const tooLate = (cause?: unknown) =>
    new IssuerError({
      code: 'interrupted',
      message: `The query ran longer than ${timeLimitMs / 1000} s and was stopped.`,
      hint: 'Narrow it with WHERE or LIMIT, or give it more time with --timeout.',
      cause,
    });
  let ended: unknown;
  try {
    ended = await Promise.race([act(), unstopped.promise]);
  } catch (error) {
    if (!late) throw queryError(error, await nearestColumns(database.connection, { sql, error }));
    throw tooLate(error);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    if (ended !== 'unstopped') database.close();
  }
  if (ended === 'unstopped') throw tooLate();
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

/** Days that `stress_as_of` is asked of and no slice is as old as: their rows are not known to be none. */
async function beforeFirstSlice(connection: DuckDBConnection, sql: string): Promise<readonly string[]> {
  const asked = [...sql.matchAll(/\bstress_as_of\(\s*'(\d{4}-\d\d-\d\d)'/gi)].map(([, day = '']) => day);
  if (asked.length === 0) return [];
  const earliest = 'SELECT min(source_date)::VARCHAR AS first FROM stress';
  const [{ first } = { first: null }] = await readRows<{ first: string | null }>(connection, earliest);
  if (first === null) return [];
  return asked
    .filter((day) => day < first)
    .map(
      (day) =>
        `no slice is as old as ${day}: the first is of ${first}; \`issuer backfill\` makes earlier ones`,
    );
}

type TextRequest = {
  readonly sql: string;
  readonly format: TextFormat;
  readonly limit?: number | null;
  readonly grouped?: boolean;
  readonly notice?: (text: string) => void;
};

async function print(
  connection: DuckDBConnection,
  { sql, format, limit = null, grouped = false, notice, write }: TextRequest & { readonly write: Write },
): Promise<void> {
  const result = await connection.stream(sql);
  const printer = rowPrinter(format, result.deduplicatedColumnNames(), { grouped });
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

/**
 * What the inputs behind a question did not cover, one sentence an input.
 *
 * Which tables a question reads is what the database plans to scan for it, without the optimizer, which leaves out
 * tables that happen to be empty; which of their columns, what the optimizer leaves. A question that cannot be planned
 * this way (EXPLAIN), and a build of an older program, has no notices.
 *
 * @param connection one of its own: the planning changes it
 */
export async function coverageNotices(connection: DuckDBConnection, sql: string): Promise<readonly string[]> {
  const scans = await scannedTables(connection, sql).catch((): readonly Scan[] => []);
  // who asks for the coverage sees it
  if (scans.length === 0 || scans.some(({ table }) => table === 'input_state')) return [];
  const gaps = await readRows<{ text: string }>(
    connection,
    `WITH scanned AS (SELECT unnest(from_json($scans, '[{"table": "VARCHAR", "columns": ["VARCHAR"]}]'), recursive := true))
    SELECT input || ': ' || gap AS text FROM coverage WHERE gap IS NOT NULL AND input IN (
      SELECT t.input_id FROM internal.table_input t JOIN scanned s ON s."table" = t.table_name
      WHERE s.columns IS NULL OR NOT list_has_all(string_split(t.columns_without, ' '), s.columns))
    ORDER BY input`,
    { scans: JSON.stringify(scans) },
  ).catch(() => []);
  return [
    ...gaps.map(({ text }) => `${text} (see view coverage)`),
    ...(await beforeFirstSlice(connection, sql)),
  ];
}

/** A table and its columns that are read; null where the plan does not say. */
type Scan = { readonly table: string; readonly columns: readonly string[] | null };

async function scannedTables(connection: DuckDBConnection, sql: string): Promise<readonly Scan[]> {
  const narrow = await plannedScans(connection, sql);
  await connection.run('PRAGMA disable_optimizer');
  const tables = new Set((await plannedScans(connection, sql)).map(({ table }) => table));
  return [...tables].map((table) => {
    const scans = narrow.filter((scan) => scan.table === table);
    const isKnown = scans.length > 0 && scans.every(({ columns }) => columns !== null);
    return { table, columns: isKnown ? scans.flatMap(({ columns }) => columns ?? []) : null };
  });
}

async function plannedScans(connection: DuckDBConnection, sql: string): Promise<readonly Scan[]> {
  const statements = await connection.extractStatements(`EXPLAIN (FORMAT JSON) ${asSubquery(sql)}`);
  const plans: string[] = [];
  // a PIVOT over unknown values is several statements, each of which needs the one before
  for (let i = 0; i < statements.count; i += 1) {
    const prepared = await statements.prepare(i);
    const result = await prepared.runAndReadAll();
    for (const row of result.getRows()) if (row[0] === 'physical_plan') plans.push(String(row[1]));
  }
  return plans.flatMap((plan) => scansOf(JSON.parse(plan)));
}

/** The scans under a plan; names of tables are without catalog and schema. */
function scansOf(plan: unknown): Scan[] {
  if (plan === null || typeof plan !== 'object') return [];
  const { Table: table, Projections: columns, Filters: filters } = plan as Record<string, unknown>;
  if (typeof table !== 'string') return Object.values(plan).flatMap(scansOf);
  // conditions are text: columns in lower case, keywords in upper case
  const tested =
    JSON.stringify(filters ?? '')
      .replaceAll(/'[^']*'|optional:/g, '')
      .match(/\b[a-z_]\w*/g) ?? [];
  // the plan of all columns names none, and that of one names it alone
  const read = typeof columns === 'string' ? [columns] : Array.isArray(columns) ? columns.map(String) : null;
  return [{ table: table.split('.').at(-1) ?? '', columns: read === null ? null : [...read, ...tested] }];
}

/** What a text of one reading statement is: rows, or a plan of them. */
type ReadingKind = 'rows' | 'plan';

/**
 * The kind of a text that holds one statement which reads.
 *
 * @throws IssuerError `usage` for no statement, several, or one that writes or configures.
 */
async function readingKind(connection: DuckDBConnection, sql: string): Promise<ReadingKind> {
  const count = await statementCount(connection, sql);
  // the database takes a PIVOT over unknown values apart into several; as a query in parentheses it is still one
  if (count > 1 && (await statementCount(connection, asSubquery(sql)).catch(() => 0)) > 0) return 'rows';
  if (count !== 1) throw refuse(`The query holds ${count} statements instead of one.`);
  const prepared = await (await connection.extractStatements(sql)).prepare(0);
  const type = prepared.statementType;
  prepared.destroySync();
  if (type === StatementType.SELECT) return 'rows';
  if (type === StatementType.EXPLAIN) return 'plan';
  throw refuse(`The query is a statement of kind ${StatementType[type]}, which does not read.`);
}

/** The text as a table of another query. */
function asSubquery(sql: string): string {
  return `SELECT * FROM (\n${sql.replace(/[;\s]+$/, '')}\n)`;
}

async function statementCount(connection: DuckDBConnection, sql: string): Promise<number> {
  const statements = await connection.extractStatements(sql).catch((error: Error) => {
    // a text of blanks and comments has no statement, which the client reports as a fault of its own
    if (error.message === 'Error in native callback') return null;
    throw error;
  });
  return statements?.count ?? 0;
}

function refuse(message: string): IssuerError {
  return new IssuerError({
    code: 'usage',
    message,
    hint: 'Give one SELECT, WITH, FROM, PIVOT, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN; ask several one after the other.',
  });
}

/** Every view and table function with what it holds. */
export const listViews = `SELECT view_name AS view, comment FROM duckdb_views() WHERE NOT internal
UNION ALL
SELECT function_name || '(''YYYY-MM-DD'')', comment FROM duckdb_functions()
WHERE function_type = 'table_macro' AND NOT internal AND comment IS NOT NULL
ORDER BY 1`;

/**
 * The question behind `describe <view>`, which the database answers without the comments; null for any other text: what
 * else may follow DESCRIBE is a query.
 */
export function describedView(sql: string): string | null {
  const [, name] = /^\s*desc(?:ribe)?\s+"?([a-z_]\w*)"?(?:\s*\(\s*\))?\s*;?\s*$/i.exec(sql) ?? [];
  if (name === undefined) return null;
  const view = name.toLowerCase();
  const macro = asOfViews.find((one) => one.name === view);
  if (macro === undefined) {
    return `SELECT column_name AS column, data_type AS type, comment FROM duckdb_columns()
      WHERE schema_name = 'main' AND table_name = '${view}'
        -- an unknown name is the database's to refuse
        AND EXISTS (SELECT count(*) FROM (DESCRIBE "${view}")) ORDER BY column_index`;
  }
  return `SELECT d.column_name AS column, d.column_type AS type, coalesce(c.comment, 'The day asked for') AS comment
    FROM (SELECT *, row_number() OVER () AS position FROM (DESCRIBE FROM ${view}('2000-01-01'))) d
    LEFT JOIN duckdb_columns() c ON c.table_name = '${macro.of}' AND c.column_name = d.column_name
    ORDER BY d.position`;
}
