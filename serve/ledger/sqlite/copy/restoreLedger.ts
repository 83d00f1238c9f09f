import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import { moveIntoSync } from '../../../../data/store/files/replaceFile.ts';
import { readMark } from '../../ledgerMark.ts';
import { databaseBusy, ledgerInUse } from '../schema/databaseError.ts';
import { copyLedger, type LedgerCopy, nameStamp } from './ledgerCopy.ts';

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
