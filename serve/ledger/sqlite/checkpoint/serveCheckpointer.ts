import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../schema/openDatabase.ts';
import { walOf } from './walPages.ts';

/** What the writer tells a checkpointer. */
export type ToCheckpointer = 'copy' | 'stop';

/** The two ends of a checkpointer's channel; a worker's `parentPort` is one. */
export type CheckpointerPort = {
  on(event: 'message', listener: (message: ToCheckpointer) => void): unknown;
  postMessage(message: 'copied'): void;
  close(): void;
};

// SQLite flushes the ledger file when no commit came while it copied: the first round copies the bulk, one of the
// next short ones meets that moment and flushes it, the rest copy what was committed meanwhile
const rounds = 6;

/**
 * Copies the write-ahead log into the ledger file beside the writer, on a connection that cannot write a row (P8.6).
 * It opens with the first `copy` and ends with `stop`.
 */
export function serveCheckpointer({ port, path }: { port: CheckpointerPort; path: string }): void {
  let database: DatabaseSync | null = null;

  function opened(): DatabaseSync {
    if (database !== null) return database;
    database = openDatabase({ path, mode: 'write' });
    database.exec('PRAGMA query_only = ON');
    return database;
  }

  port.on('message', (message) => {
    if (message === 'copy') {
      copyInRounds(opened());
      port.postMessage('copied');
      return;
    }
    database?.close();
    port.close();
  });
}

function copyInRounds(database: DatabaseSync): void {
  const wal = walOf(database);
  for (let round = 0; round < rounds; round += 1) {
    wal.copy();
    const { logged, copied } = wal.pages();
    if (copied === logged) return;
  }
}
