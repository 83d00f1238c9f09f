import { type RawRow, wholeNumber } from '../rows/columns.ts';
import { ledgerClock } from '../work/statement.ts';
import { type Step, thrownInto, UniqueViolated, type Work } from '../work/work.ts';
import { transitionInput } from './columns.ts';
import { type PostgresDatabase, uniqueConstraint } from './postgresDatabase.ts';

type Query = PostgresDatabase['rows'];

/** Runs pieces of work, step after step; `nowMs` is null in service, where the database's clock decides (P8.17). */
export type WorkRunner = {
  /** Each statement on a connection of the pool. */
  read<T>(work: Work<T>): Promise<T>;
  /** All of it in one transaction. */
  write<T>(work: Work<T>): Promise<T>;
};

/** Builds the runner over a database. */
export function workRunner(database: PostgresDatabase, nowMs: () => number | null): WorkRunner {
  return {
    read: (work) => runWork({ work, query: database.rows, nowMs: nowMs() }),
    write: (work) => database.transaction((query) => runWork({ work, query, nowMs: nowMs() })),
  };
}

/** Runs one piece of work with the statements of a connection. */
export async function runWork<T>(input: { work: Work<T>; query: Query; nowMs: number | null }): Promise<T> {
  const { work, query, nowMs } = input;
  let next = work.next();
  while (next.done !== true) {
    let answered: unknown;
    try {
      answered = await answer(next.value, query, nowMs);
    } catch (error) {
      next = thrownInto(work, error);
      continue;
    }
    next = work.next(answered);
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
