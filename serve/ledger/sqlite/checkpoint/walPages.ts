import type { DatabaseSync } from 'node:sqlite';

/** Pages of the write-ahead log, and how many of them the ledger file has already. */
export type WalPages = { readonly logged: number; readonly copied: number };

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
