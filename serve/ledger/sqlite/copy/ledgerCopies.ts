import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { IssuerError, usageError } from '../../../../data/contract/errors/issuerError.ts';
import { moveIntoSync } from '../../../../data/store/files/replaceFile.ts';
import { readMark } from '../../ledgerMark.ts';
import type { CheckReport } from '../../port/books.ts';
import { wholeNumber } from '../../rows/columns.ts';
import { checkBooks } from '../reads/sqliteBooks.ts';
import { checkSchema } from '../schema/applySchema.ts';
import { databaseBusy, ledgerInUse, noLedger } from '../schema/openDatabase.ts';

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

/**
 * Writes a proven copy of a ledger that may be in use to a new file (P8.12): a reader sees the whole copy or none,
 * and no file that was there is replaced.
 *
 * @throws IssuerError `input_missing` without a ledger, `usage` when the file exists, and what `copyLedger` throws.
 */
export async function backupLedger({
  path,
  to,
  nowMs,
}: {
  path: string;
  to: string;
  nowMs: number;
}): Promise<LedgerCopy> {
  if (!existsSync(path)) throw noLedger(path);
  if (existsSync(to)) throw taken(to);
  const partial = `${to}.${process.pid}.partial`;
  const notes = { copied_ms: String(nowMs) };
  const copy = await copyLedger({ from: path, to: partial, notes });
  try {
    // takes the name before the copy gets it: a rename alone would replace what came there meanwhile
    closeSync(openSync(to, 'wx', 0o600));
  } catch (error) {
    rmSync(partial);
    throw (error as { code?: unknown }).code === 'EEXIST' ? taken(to) : error;
  }
  moveIntoSync({ from: partial, to });
  return copy;
}

function taken(path: string): IssuerError {
  return usageError(
    `The file ${path} exists and is not replaced.`,
    'Name a new file, for example with the date in it.',
  );
}

/** What a restored ledger replaced. */
export type RestoredLedger = LedgerCopy & {
  /** Where the ledger that was there lies now; null when there was none. */
  readonly replaced: string | null;
};

/**
 * Puts a backup in the place of a ledger that no process has open, and keeps what was there (P8.12). The restored ledger takes
 * no payments before `ledger check --chain` has searched for those it lacks (S38).
 *
 * @throws IssuerError `input_missing` without a backup, `locked` while the ledger is in use, `validation_failed` when
 * the backup is damaged or, unless forced, older than what is known of the ledger.
 */
export async function restoreLedger({
  path,
  from,
  force,
  as,
  nowMs,
}: {
  path: string;
  from: string;
  force: boolean;
  as: `operator:${string}`;
  nowMs: number;
}): Promise<RestoredLedger> {
  if (!existsSync(from)) {
    throw new IssuerError({
      code: 'input_missing',
      message: `There is no backup at ${from}.`,
      hint: 'issuer-serve ledger backup <file> writes one.',
    });
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}.restoring`;
  const notes = { restored_by: as, restored_ms: String(nowMs) };
  const copy = await copyLedger({ from, to: partial, notes });
  try {
    const present = existsSync(path) ? leftAlone(path) : null;
    const known = Math.max(readMark(`${path}.mark`).newestEvent, present?.newestEvent ?? 0);
    if (known > copy.newestEvent && !force) throw older(known, copy.newestEvent);
    const replaced = present === null ? null : `${path}.replaced-${nameStamp(nowMs)}`;
    if (replaced !== null) {
      // left by a damaged ledger alone: beside another file they would be taken for its own
      for (const suffix of ['-wal', '-shm'])
        if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${replaced}${suffix}`);
      // a second name, so that a ledger has its place at every instant
      linkSync(path, replaced);
    }
    withLog(partial);
    moveIntoSync({ from: partial, to: path });
    return { ...copy, replaced };
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Makes one file of the present ledger, whose log is then empty; a damaged one is moved away as it is. */
function leftAlone(path: string): { newestEvent: number } {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    const newest = database.prepare('SELECT coalesce(max(event_id), 0) AS n FROM receipt_events').get();
    // leaving the write-ahead log needs exclusive access, so another open connection is noticed
    database.exec('PRAGMA journal_mode = DELETE; PRAGMA journal_mode = WAL');
    return { newestEvent: Number(newest?.['n']) };
  } catch (cause) {
    if (!databaseBusy(cause)) return { newestEvent: 0 };
    throw ledgerInUse(path, cause);
  } finally {
    database?.close();
  }
}

/** Gives a copy the journal mode of a ledger, which is expected of it before it is opened for writing. */
function withLog(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = WAL');
  } finally {
    database.close();
  }
}

function older(known: number, newest: number): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The backup ends at journal row ${newest}; the ledger here is known to have reached ${known}.`,
    hint: 'What came between is forgotten: look for a newer backup. --force restores this one; then run issuer-serve ledger check --chain.',
    details: { known, newest },
  });
}
