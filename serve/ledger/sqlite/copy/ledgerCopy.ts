import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import type { CheckReport } from '../../port/books.ts';
import { wholeNumber } from '../../rows/columns.ts';
import { checkBooks } from '../reads/sqliteBooks.ts';
import { checkSchema } from '../schema/applySchema.ts';

// whole copies of a ledger file (P8.12): one snapshot, one file without a WAL, marked as a copy

/** What a copy holds. */
export type LedgerCopy = {
  readonly bytes: number;
  /** Number of its newest journal row. */
  readonly newestEvent: number;
  readonly books: CheckReport;
};

/** All pages in one step: steps between which others write would begin again and again. */
const allPages = 0x7fff_ffff;

/**
 * Copies a ledger file that others may be writing to a new file (0600), and proves the copy: every page, every
 * reference, the rules of the books. The copy is marked as one (`copy_id`), so it takes no payments before an
 * operator has accepted it (S38).
 *
 * @throws IssuerError `validation_failed` when the copy is damaged, `configuration` when another version of the
 * program made it, `store_unwritable` when it cannot be written; no
 * file is left then. Books that do not balance are copied and reported.
 */
export async function copyLedger({
  from,
  to,
  notes,
}: {
  from: string;
  to: string;
  /** Rows for its `ledger_meta`. */
  notes: Readonly<Record<string, string>>;
}): Promise<LedgerCopy> {
  const file = newFile(to);
  try {
    const source = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
    try {
      await backup(source, to, { rate: allPages });
    } finally {
      source.close();
    }
    const copy = proven(to, { copy_id: randomUUID(), ...notes });
    chmodSync(to, 0o600);
    fsyncSync(file);
    return { ...copy, bytes: statSync(to).size };
  } catch (error) {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${to}${suffix}`, { force: true });
    throw error instanceof IssuerError ? error : damaged(from, error);
  } finally {
    closeSync(file);
  }
}

/** An instant in the name of a file: `20260207T101500Z`. */
export function nameStamp(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

function newFile(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (cause) {
    throw new IssuerError({
      code: 'store_unwritable',
      message: `The file ${path} cannot be created.`,
      hint: 'Name a new file in a directory that exists and that this user may write.',
      cause,
    });
  }
}

function proven(path: string, notes: Readonly<Record<string, string>>): Omit<LedgerCopy, 'bytes'> {
  const database = new DatabaseSync(path);
  try {
    // a single file, so that a further copy cannot miss a part of it
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL');
    if (checkSchema(database) === 'empty') throw damaged(path, 'it holds no ledger');
    const note = database.prepare('INSERT OR REPLACE INTO ledger_meta (key, value) VALUES (?, ?)');
    for (const [key, value] of Object.entries(notes)) note.run(key, value);
    const pages = database.prepare('PRAGMA integrity_check').all();
    if (pages.length !== 1 || pages[0]?.['integrity_check'] !== 'ok') throw damaged(path, pages[0]);
    const lost = database.prepare('PRAGMA foreign_key_check').get();
    if (lost !== undefined) throw damaged(path, lost);
    const newest = database.prepare('SELECT coalesce(max(event_id), 0) AS n FROM receipt_events').get();
    return { newestEvent: wholeNumber(newest?.['n']), books: checkBooks(database) };
  } finally {
    database.close();
  }
}

/** Whether a ledger is a copy of another, and when it was taken. */
export function copyNotes(database: DatabaseSync): { readonly id: string; readonly copiedMs: number } | null {
  const note = database.prepare('SELECT value FROM ledger_meta WHERE key = ?');
  const id = note.get('copy_id')?.['value'];
  return typeof id === 'string' ? { id, copiedMs: Number(note.get('copied_ms')?.['value'] ?? 0) } : null;
}

function damaged(path: string, cause: unknown): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The ledger ${path} cannot be copied whole: it is damaged or no ledger.`,
    hint: 'Run issuer-serve ledger check, and keep the backups there are.',
    cause,
  });
}
