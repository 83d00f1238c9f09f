import type { DatabaseSync } from 'node:sqlite';
import type { Steps } from '../../steps/steps.ts';
import { stepRunner } from '../runSteps.ts';
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
export function readSnapshot<T>(database: DatabaseSync, steps: (database: DatabaseSync) => Steps<T>): T {
  database.exec('BEGIN');
  try {
    return stepRunner(database)(steps(database), Date.now());
  } finally {
    database.exec('ROLLBACK');
  }
}
