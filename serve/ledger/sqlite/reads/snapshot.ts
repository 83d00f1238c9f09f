import type { DatabaseSync } from 'node:sqlite';
import type { Work } from '../../work/work.ts';
import { workRunner } from '../runWork.ts';
import { openDatabase } from '../schema/openDatabase.ts';

/** Runs reads of one snapshot on a connection of its own; it may take seconds. */
export function inSnapshot<T>(path: string, work: (database: DatabaseSync) => Work<T>): T {
  const database = openDatabase({ path, mode: 'read' });
  try {
    return readSnapshot(database, work);
  } finally {
    database.close();
  }
}

/** The same on a connection that is open. */
export function readSnapshot<T>(database: DatabaseSync, work: (database: DatabaseSync) => Work<T>): T {
  database.exec('BEGIN');
  try {
    return workRunner(database)(work(database), Date.now());
  } finally {
    database.exec('ROLLBACK');
  }
}
