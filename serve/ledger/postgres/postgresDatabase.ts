import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { RawRow } from '../rows/columns.ts';

/** Bounds of P8.14, in milliseconds; a query without answer is given up after the server would have ended it. */
const bounds = { pool: 20, connectMs: 2000, statementMs: 5000, queryMs: 8000, endMs: 2000 } as const;

/**
 * What went wrong with a statement: it was not sent, or sent and rolled back for want of something; the connection
 * broke and the outcome is unknown; or the database refused the statement.
 */
export type Failure = 'not_sent' | 'unknown_outcome' | 'refused';

/** Statements on a pool of connections; every text is prepared once a connection. */
export type PostgresDatabase = {
  rows(sql: string, values?: readonly unknown[]): Promise<RawRow[]>;
  /** The first row, or null. */
  row(sql: string, values?: readonly unknown[]): Promise<RawRow | null>;
  /** The first column of the first row. */
  value(sql: string, values?: readonly unknown[]): Promise<unknown>;
  /**
   * Runs `work` in one transaction on one connection. What fails before the commit is not stored: the statements throw
   * the driver's errors, the transaction `settlement_unavailable` unless the database refused one of them.
   */
  transaction<T>(work: (query: PostgresDatabase['rows']) => Promise<T>): Promise<T>;
  /** A connection of its own, outside the pool; the caller ends it. `bounded`: no statement waits longer than one of the pool. */
  client(limits?: { bounded: boolean }): Promise<pg.Client>;
  /** null as long as the last statement reached the database */
  readonly unreachable: Error | null;
  close(): Promise<void>;
};

/** Open connections, the name of every text that was prepared, and how the last statement ended. */
type Pool = {
  readonly connections: pg.Pool;
  readonly names: Map<string, string>;
  /** null as long as the last statement reached the database */
  unreachable: Error | null;
};

/**
 * Opens a pool (P8.14). `connection` is a `postgres://` URL; a pooler in between has to work in session mode.
 *
 * Statements throw IssuerError `settlement_unavailable` when they were not sent, `store_unwritable` when their
 * outcome is unknown (P8.16), and the driver's error when the database refused them.
 */
export function postgresDatabase({
  connection,
  application,
  queryMs = bounds.queryMs,
}: {
  connection: string;
  application: string;
  queryMs?: number;
}): PostgresDatabase {
  const settings = {
    connectionString: connection,
    application_name: application,
    connectionTimeoutMillis: bounds.connectMs,
    keepAlive: true,
  };
  const pool: Pool = {
    connections: new pg.Pool({
      ...settings,
      max: bounds.pool,
      statement_timeout: bounds.statementMs,
      idle_in_transaction_session_timeout: bounds.statementMs,
      query_timeout: queryMs,
    }),
    names: new Map(),
    unreachable: null,
  };
  // an idle connection that breaks is replaced by the pool
  pool.connections.on('error', (error) => {
    pool.unreachable = error;
  });
  // a connection that breaks in use raises two errors: at its statement, and here
  pool.connections.on('connect', (client) => client.on('error', () => {}));
  const row = async (sql: string, values?: readonly unknown[]) =>
    (await rowsOf(pool, sql, values))[0] ?? null;

  return {
    rows: (sql, values) => rowsOf(pool, sql, values),
    row,
    value: async (sql, values) => Object.values((await row(sql, values)) ?? {})[0],
    transaction: (work) => transactionOn(pool, work),
    client: async ({ bounded } = { bounded: false }) => {
      const client = new pg.Client({ ...settings, ...(bounded ? { query_timeout: queryMs } : {}) });
      // the next statement on the connection reports its end
      client.on('error', () => {});
      try {
        await client.connect();
      } catch (error) {
        throw notSent(error);
      }
      return client;
    },
    get unreachable() {
      return pool.unreachable;
    },
    // a database that says nothing does not say goodbye either
    close: () => Promise.race([pool.connections.end(), setTimeout(bounds.endMs, undefined, { ref: false })]),
  };
}

function nameOf({ names }: Pool, sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = hash('sha256', sql, 'hex').slice(0, 32);
  names.set(sql, name);
  return name;
}

async function connected(pool: Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connections.connect();
  } catch (error) {
    pool.unreachable = asError(error);
    throw notSent(error);
  }
}

function queryOn(pool: Pool, client: pg.PoolClient): PostgresDatabase['rows'] {
  return async (sql, values = []) =>
    (await client.query<RawRow>({ name: nameOf(pool, sql), text: sql, values: [...values] })).rows;
}

async function transactionOn<T>(
  pool: Pool,
  work: (query: PostgresDatabase['rows']) => Promise<T>,
): Promise<T> {
  const client = await connected(pool);
  const query = queryOn(pool, client);
  let failed: unknown = null;
  let committing = false;
  let broken: Error | undefined;
  const watched: PostgresDatabase['rows'] = (sql, values) =>
    query(sql, values).catch((error) => {
      failed = error;
      throw error;
    });
  try {
    await watched('BEGIN');
    const result = await work(watched);
    committing = true;
    await watched('COMMIT');
    pool.unreachable = null;
    return result;
  } catch (error) {
    const failure = failed === null ? 'refused' : failureOf(failed);
    if (failure === 'refused') {
      await query('ROLLBACK').catch((lost) => {
        broken = asError(lost);
      });
      throw error;
    }
    // the connection still has its transaction: it is not used again
    broken = asError(error);
    if (failure === 'unknown_outcome') pool.unreachable = broken;
    throw failure === 'unknown_outcome' && committing ? unknownOutcome(error) : notSent(error);
  } finally {
    client.release(broken);
  }
}

async function rowsOf(pool: Pool, sql: string, values: readonly unknown[] = []): Promise<RawRow[]> {
  const client = await connected(pool);
  let broken: Error | undefined;
  try {
    const found = await queryOn(pool, client)(sql, values);
    pool.unreachable = null;
    return found;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === 'refused') throw error;
    if (failure === 'not_sent') throw notSent(error);
    broken = asError(error);
    pool.unreachable = broken;
    throw unknownOutcome(error);
  } finally {
    client.release(broken);
  }
}

// SQLSTATE: broken connections and shut-downs; then what the database rolls back for want of space, locks or time
const lostStates = /^(08|57P)/;
const wantingStates = /^(40|53|55|57014|58)/;

/** Tells the kinds of failure apart by the error a statement ended with. */
export function failureOf(error: unknown): Failure {
  if (error instanceof IssuerError) {
    return error.code === 'settlement_unavailable' ? 'not_sent' : 'unknown_outcome';
  }
  if (!(error instanceof pg.DatabaseError)) return 'unknown_outcome';
  const state = error.code ?? '';
  if (lostStates.test(state)) return 'unknown_outcome';
  return wantingStates.test(state) ? 'not_sent' : 'refused';
}

/**
 * Statements that change nothing: one that gets no answer leaves nothing unknown, in every failure (P8.16). It throws
 * `settlement_unavailable` then, and the driver's error when the database refused it.
 */
export function onlyReading(query: PostgresDatabase['rows']): PostgresDatabase['rows'] {
  return async (sql, values) => {
    try {
      return await query(sql, values);
    } catch (error) {
      throw failureOf(error) === 'refused' ? error : notRead(error);
    }
  };
}

/** Name of the constraint a statement violated uniquely; null for anything else. */
export function uniqueConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === '23505' ? (error.constraint ?? '') : null;
}

/** The error a start ended with: one sentence where the database went away meanwhile, the error itself otherwise. */
export function lostAtStart(error: unknown): unknown {
  if (error instanceof IssuerError || failureOf(error) === 'refused') return error;
  return new IssuerError({
    code: 'settlement_unavailable',
    message: 'The ledger database went away, or gave no answer, while the ledger was opened.',
    hint: 'Start again once it answers; what was begun there is rolled back.',
    cause: error,
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function notSent(cause: unknown): IssuerError {
  return away('cannot be reached, or could not do this now; nothing was stored', cause);
}

function notRead(cause: unknown): IssuerError {
  return away('gave no answer; nothing was changed', cause);
}

function away(what: string, cause: unknown): IssuerError {
  return new IssuerError({
    code: 'settlement_unavailable',
    message: `The ledger database ${what}.`,
    hint: 'Try again later.',
    cause,
  });
}

function unknownOutcome(cause: unknown): IssuerError {
  return new IssuerError({
    code: 'store_unwritable',
    message: 'The ledger database gave no answer; whether this change was stored is unknown.',
    hint: 'Check the database, then run issuer-serve ledger check.',
    cause,
  });
}
