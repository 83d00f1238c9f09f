import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Transition } from '../port/payment.ts';
import type { RawRow } from '../rows/columns.ts';
import {
  ledgerClock,
  type Statement,
  type Step,
  type Steps,
  thrownInto,
  UniqueViolated,
} from '../steps/steps.ts';
import { uniqueViolated } from './schema/openDatabase.ts';

type Prepared = { readonly statement: StatementSync; readonly order: readonly number[] };

/** Runs the steps of methods on one connection; `transition` moves a receipt. */
export function stepRunner(
  database: DatabaseSync,
  transition?: (step: Transition) => boolean,
): <T>(steps: Steps<T>, nowMs: number) => T {
  const prepared = new Map<Statement, Prepared>();
  // PostgreSQL reads its own clock here; the one of this process comes as the parameter
  database.function('ledger_now', { deterministic: true }, (nowMs) => nowMs);

  function preparedOf(statement: Statement): Prepared {
    const known = prepared.get(statement);
    if (known !== undefined) return known;
    const { sql, order } = positional(statement.sql);
    const fresh = { statement: database.prepare(sql), order };
    if (statement.bigints) fresh.statement.setReadBigInts(true);
    prepared.set(statement, fresh);
    return fresh;
  }

  function rows(step: Extract<Step, { kind: 'rows' }>, nowMs: number): readonly RawRow[] {
    const { statement, values } = step;
    const { statement: found, order } = preparedOf(statement);
    try {
      return found.all(
        ...order.map((place) => {
          const value = values[place] ?? null;
          return value === ledgerClock ? nowMs : value;
        }),
      );
    } catch (error) {
      throw uniqueViolated(error) ? new UniqueViolated('a unique value is taken', { cause: error }) : error;
    }
  }

  function answer(step: Step, nowMs: number): unknown {
    switch (step.kind) {
      case 'rows':
        return rows(step, nowMs);
      case 'clock':
        return nowMs;
      case 'transition':
        if (transition === undefined) throw new Error('a reader moves no receipt');
        return transition(step.transition);
      case 'turn':
      case 'notify':
        // one writer at a time, and no other server to notify
        return undefined;
    }
  }

  return (steps, nowMs) => {
    let next = steps.next();
    while (next.done !== true) {
      let answered: unknown;
      try {
        answered = answer(next.value, nowMs);
      } catch (error) {
        next = thrownInto(steps, error);
        continue;
      }
      next = steps.next(answered);
    }
    return next.value;
  };
}

/** The text with `?` for each `$n`, and the place of the value each takes: positions are bound faster than names. */
export function positional(sql: string): { readonly sql: string; readonly order: readonly number[] } {
  const order: number[] = [];
  const text = sql.replace(/\$(\d+)/g, (_, place: string) => {
    order.push(Number(place) - 1);
    return '?';
  });
  return { sql: text, order };
}
