import type { DatabaseSync } from 'node:sqlite';
import type { CheckpointerHandle, SpawnCheckpointer } from './spawnCheckpointer.ts';
import { type WalPages, walOf } from './walPages.ts';

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
    thread.post('copy');
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
      else thread.post('stop');
      return stopped.promise;
    },
  };
}
