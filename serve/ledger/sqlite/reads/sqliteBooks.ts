import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import { booksCheck } from '../../books/bookRules.ts';
import { exportRow, exportRows } from '../../books/export.ts';
import type { CheckReport, ExportRow } from '../../port/books.ts';
import type { FiguresInput, LedgerFigures } from '../../port/day.ts';
import type { Steps } from '../../steps/steps.ts';
import { positional, stepRunner } from '../runSteps.ts';
import { schemaInForce } from '../schema/applySchema.ts';
import { openDatabase } from '../schema/openDatabase.ts';

/** Runs reads of one snapshot on a connection of its own; it may take seconds. */
export function inSnapshot<T>(path: string, steps: (database: DatabaseSync) => Steps<T>): T {
  const database = openDatabase({ path, mode: 'read' });
  try {
    return readSnapshot(database, steps);
  } finally {
    database.close();
  }
}

/** The same on a connection that is open. */
function readSnapshot<T>(database: DatabaseSync, steps: (database: DatabaseSync) => Steps<T>): T {
  database.exec('BEGIN');
  try {
    return stepRunner(database)(steps(database), Date.now());
  } finally {
    database.exec('ROLLBACK');
  }
}

/** Streams the export of one snapshot on a connection of its own (P8.61). */
export async function* sqliteExport({
  path,
  fromMs,
  toMs,
}: {
  path: string;
  fromMs: number;
  toMs: number;
}): AsyncGenerator<ExportRow> {
  const database = openDatabase({ path, mode: 'read' });
  try {
    database.exec('BEGIN');
    for (const row of database.prepare(positional(exportRows.sql).sql).iterate(fromMs, toMs)) {
      yield exportRow(row);
    }
  } finally {
    database.close();
  }
}

/** Checks every rule of the books in one snapshot (I5.33). */
export function sqliteCheck(path: string): CheckReport {
  return inSnapshot(path, (database) => booksCheck(schemaInForce(database)));
}

/** The same on a connection that is open. */
export function checkBooks(database: DatabaseSync): CheckReport {
  return readSnapshot(database, () => booksCheck(schemaInForce(database)));
}

/**
 * Reads the figures in a thread that ends with them: neither the writer nor a request waits for it. After
 * `withinMs` it is ended.
 *
 * @throws IssuerError `settlement_unavailable` when the ledger cannot be read, or not in time.
 */
export function readFigures({
  path,
  nowMs,
  withinMs,
}: FiguresInput & { readonly path: string }): Promise<LedgerFigures> {
  const worker = new Worker(new URL('./figuresThread.ts', import.meta.url), {
    workerData: { path, nowMs },
    name: 'ledger-figures',
  });
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      reject(unreadable('The figures of the ledger took too long.', undefined));
      void worker.terminate();
    }, withinMs);
    worker.once('message', (figures: LedgerFigures) => resolve(figures));
    worker.once('error', (cause) => reject(unreadable('The ledger cannot be read.', cause)));
    worker.once('exit', () => {
      clearTimeout(limit);
      reject(unreadable('The figures of the ledger were not finished.', undefined));
    });
  });
}

function unreadable(message: string, cause: unknown): IssuerError {
  return new IssuerError({ code: 'settlement_unavailable', message, hint: 'Try again later.', cause });
}
