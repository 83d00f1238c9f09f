import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { openDatabase } from '../schema/openDatabase.ts';

/** Pages of the write-ahead log, and how many of them the ledger file has already. */
type WalPages = { readonly logged: number; readonly copied: number };

/** Reads the write-ahead log of a connection and copies it into the ledger file (P8.12). */
export type Wal = {
  pages(): WalPages;
  /** Copies what no reader holds back, without waiting; a failed copy changes nothing. */
  copy(): void;
};

/** The write-ahead log behind `database`. */
export function walOf(database: DatabaseSync): Wal {
  const look = database.prepare('PRAGMA wal_checkpoint(NOOP)');
  const passive = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  return {
    pages: () => {
      const row = look.get();
      return { logged: Number(row?.['log'] ?? 0), copied: Number(row?.['checkpointed'] ?? 0) };
    },
    copy: () => {
      try {
        passive.get();
      } catch (error) {
        // a full disk: the log is durable and the next checkpoint copies it
        if ((error as { errcode?: unknown }).errcode === undefined) throw error;
      }
    },
  };
}

/** Pages of the write-ahead log from which on it is copied; a quarter of them at most by the writer itself. */
const defaultPages = 4000;

/** Keeps the write-ahead log short while commits go on (P8.12). */
export type BackgroundCheckpoint = {
  /** A batch was committed. */
  committed(): void;
  /** The writer has nothing to do: what is in the log may go. */
  idle(): void;
  /** Ends the checkpointer; resolves when its connection is closed. */
  stop(): Promise<void>;
};

/**
 * Checkpoints of a write connection in two steps. Copying thousands of scattered pages and flushing them takes
 * hundreds of milliseconds: a checkpointer does it while commits go on. But the log restarts only when all of it
 * is copied, which under steady writes never happens by itself: the writer copies the last pages between two
 * batches. The checkpointer starts when it is first needed. When it fails, or a reader holds the log for long, the
 * next try comes `pages` later.
 */
export function backgroundCheckpoint({
  database,
  spawn,
  pages,
}: {
  database: DatabaseSync;
  spawn: SpawnCheckpointer;
  pages?: number | undefined;
}): BackgroundCheckpoint {
  const every = pages ?? defaultPages;
  const few = Math.ceil(every / 4);
  const wal = walOf(database);
  let thread: CheckpointerHandle | null = null;
  let copying = false;
  let stopped: PromiseWithResolvers<void> | null = null;
  let logged = 0;
  let startAt = every;
  let begunAnew = false;
  // a log of the 64 MiB that its file keeps is copied by the commits again: it stays bounded also when this fails
  database.exec('PRAGMA wal_autocheckpoint = 16384');

  function look(): WalPages {
    const pages = wal.pages();
    if (pages.logged < logged) {
      begunAnew = true;
      startAt = every;
    }
    logged = pages.logged;
    return pages;
  }

  function start(): void {
    startAt = logged + every;
    begunAnew = false;
    copying = true;
    thread ??= spawn({ copied: finish, ended });
    thread.postMessage('copy');
  }

  function finish(): void {
    copying = false;
    const pages = look();
    const left = pages.logged - pages.copied;
    if (!begunAnew && left > 0 && left <= few) wal.copy();
  }

  function ended(): void {
    thread = null;
    copying = false;
    stopped?.resolve();
  }

  return {
    committed: () => {
      look();
      if (!copying && stopped === null && logged >= startAt) start();
    },
    idle: () => {
      const pages = look();
      if (copying || stopped !== null) return;
      if (pages.logged - pages.copied <= few) wal.copy();
      else start();
    },
    stop: () => {
      if (stopped !== null) return stopped.promise;
      stopped = Promise.withResolvers<void>();
      if (thread === null) stopped.resolve();
      else thread.postMessage('stop');
      return stopped.promise;
    },
  };
}

/** A running checkpointer; it ends by itself after `stop`. */
type CheckpointerHandle = { postMessage(message: ToCheckpointer): void };

/** Starts a checkpointer; `ended` is called once, when it has ended or died. */
export type SpawnCheckpointer = (on: { copied(): void; ended(): void }) => CheckpointerHandle;

/** Starts checkpointers of the ledger at `path`, each in a thread of its own. */
export function threadCheckpointer(path: string): SpawnCheckpointer {
  return (on) => {
    const worker = new Worker(new URL('./checkpointerThread.ts', import.meta.url), {
      workerData: { path },
      name: 'ledger-checkpointer',
    });
    worker.on('message', () => on.copied());
    // the exit that follows is enough: a checkpoint that failed loses nothing
    worker.on('error', () => {});
    worker.on('exit', () => on.ended());
    return worker;
  };
}

/** What the writer tells a checkpointer. */
export type ToCheckpointer = 'copy' | 'stop';

/** The two ends of a checkpointer's channel; a worker's `parentPort` is one. */
type CheckpointerPort = {
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
