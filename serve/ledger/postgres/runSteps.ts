import type pg from 'pg';
import { booksCheck } from '../books/bookRules.ts';
import { exportRow, exportRows } from '../books/export.ts';
import type { CheckReport, ExportRow } from '../port/books.ts';
import { type RawRow, wholeNumber } from '../rows/columns.ts';
import { ledgerClock, type Step, type Steps, thrownInto, UniqueViolated } from '../steps/steps.ts';
import { transitionInput } from './columns.ts';
import { onlyReading, type PostgresDatabase, uniqueConstraint } from './postgresDatabase.ts';
import { schemaInForce } from './schema/postgresSchema.ts';

type Query = PostgresDatabase['rows'];

/** Runs the steps of methods one after another; `nowMs` is null in service, where the database's clock decides (P8.17). */
type StepRunner = {
  /** Each statement on a connection of the pool. */
  read<T>(steps: Steps<T>): Promise<T>;
  /** All of it in one transaction. */
  write<T>(steps: Steps<T>): Promise<T>;
};

/** Builds the runner over a database. */
export function stepRunner(database: PostgresDatabase, nowMs: () => number | null): StepRunner {
  return {
    read: (steps) => runSteps({ steps, query: onlyReading(database.rows), nowMs: nowMs() }),
    write: (steps) => database.transaction((query) => runSteps({ steps, query, nowMs: nowMs() })),
  };
}

/** Runs the steps of one method with the statements of a connection. */
async function runSteps<T>(input: { steps: Steps<T>; query: Query; nowMs: number | null }): Promise<T> {
  const { steps, query, nowMs } = input;
  let next = steps.next();
  while (next.done !== true) {
    let answered: unknown;
    try {
      answered = await answer(next.value, query, nowMs);
    } catch (error) {
      next = thrownInto(steps, error);
      continue;
    }
    next = steps.next(answered);
  }
  return next.value;
}

async function answer(step: Step, query: Query, nowMs: number | null): Promise<unknown> {
  switch (step.kind) {
    case 'rows':
      return rows(step, query, nowMs);
    case 'clock':
      return nowMs ?? wholeNumber(first(await query('SELECT ledger_now(NULL) AS now'))['now']);
    case 'turn':
      return query('SELECT pg_advisory_xact_lock(hashtext($1))', [step.subject]);
    case 'notify':
      return query('SELECT pg_notify($1, $2)', [step.channel, step.id]);
    case 'transition': {
      const moved = await query('SELECT ledger_transition($1) AS moved', [transitionInput(step.transition)]);
      return first(moved)['moved'] === true;
    }
  }
}

async function rows(
  step: Extract<Step, { kind: 'rows' }>,
  query: Query,
  nowMs: number | null,
): Promise<readonly RawRow[]> {
  try {
    return await query(
      step.statement.lockingSql,
      step.values.map((value) => (value === ledgerClock ? nowMs : value)),
    );
  } catch (error) {
    throw uniqueConstraint(error) === null
      ? error
      : new UniqueViolated('a unique value is taken', { cause: error });
  }
}

function first(found: readonly RawRow[]): RawRow {
  return found[0] ?? {};
}

/** Statements on a connection of its own that only reads. */
function readingOn(client: pg.Client): PostgresDatabase['rows'] {
  return onlyReading(async (sql, values = []) => (await client.query(sql, [...values])).rows);
}

/**
 * Runs reads of one snapshot on a connection of its own, which no request waits for. `withinMs` limits each statement.
 */
export async function inSnapshot<T>(input: {
  database: PostgresDatabase;
  withinMs?: number;
  steps: (query: PostgresDatabase['rows']) => Steps<T> | Promise<Steps<T>>;
}): Promise<T> {
  const client = await input.database.client();
  const query = readingOn(client);
  try {
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    if (input.withinMs !== undefined) {
      await query("SELECT set_config('statement_timeout', $1, true)", [String(input.withinMs)]);
    }
    const steps = await input.steps(query);
    return await runSteps({ steps, query, nowMs: null });
  } finally {
    await client.end();
  }
}

const exportCursor = `DECLARE export NO SCROLL CURSOR FOR ${exportRows.sql}`;

/** Streams the export of one snapshot over a cursor on a connection of its own (P8.61). */
export async function* postgresExport({
  database,
  fromMs,
  toMs,
}: {
  database: PostgresDatabase;
  fromMs: number;
  toMs: number;
}): AsyncGenerator<ExportRow> {
  const client = await database.client();
  const query = readingOn(client);
  try {
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await query(exportCursor, [fromMs, toMs]);
    for (;;) {
      const rows = await query('FETCH 1000 FROM export');
      if (rows.length === 0) return;
      for (const row of rows) yield exportRow(row);
    }
  } finally {
    await client.end();
  }
}

/** Checks every rule of the books in one snapshot (I5.33). */
export function postgresCheck(database: PostgresDatabase): Promise<CheckReport> {
  return inSnapshot({ database, steps: async (query) => booksCheck(await schemaInForce(query)) });
}
