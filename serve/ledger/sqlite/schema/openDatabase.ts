import { chmodSync, closeSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';

const busyTimeoutMs = 5000;
const busyPauseMs = 20;

// f_type of statfs(2) on Linux. 9p and FUSE are absent: they also carry local disks of virtual machines
const networkFileSystems = new Map<number, string>([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xfe534d42, 'smb2'],
  [0xff534d42, 'cifs'],
  [0x5346414f, 'afs'],
  [0x6b414653, 'kafs'],
  [0x00c36400, 'ceph'],
  [0x0bd00bd0, 'lustre'],
  [0x47504653, 'gpfs'],
  [0x7461636f, 'ocfs2'],
  [0x01161970, 'gfs2'],
  [0x73757245, 'coda'],
  [0x564c, 'ncp'],
]);

type OpenMode = 'write' | 'read';

/**
 * Opens the ledger file with the pragmas of P8.13 and reads them back (P8.5). `write` creates directories
 * (0700) and the file (0600) and switches to WAL; `read` opens an existing file read-only.
 *
 * @throws IssuerError `configuration` when the file is on a network file system, is not a database, or a
 * pragma does not hold; `store_unwritable` when it cannot be created or opened.
 */
export function openDatabase({
  path,
  mode,
  fileSystemType,
}: {
  path: string;
  mode: OpenMode;
  fileSystemType?: (directory: string) => number;
}): DatabaseSync {
  if (mode === 'write') prepareFile(path);
  refuseNetworkFileSystem(path, fileSystemType ?? linuxFileSystemType);
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: mode === 'read', timeout: busyTimeoutMs });
    setPragmas(database, mode);
    refuseWrongPragmas(database, path);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof IssuerError ? error : unopenable(path, error);
  }
}

function prepareFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    createFile(path);
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  } catch (error) {
    throw new IssuerError({
      code: 'store_unwritable',
      message: `The ledger file ${path} cannot be created or written.`,
      hint: 'Point II_LEDGER or II_DATA at a directory this user may write.',
      cause: error,
    });
  }
}

/**
 * Created before SQLite opens it, so that the WAL and its index inherit the mode. A file that exists is never opened
 * here: on POSIX, closing it would take the locks of every connection of this process to it, and the next program
 * that closes the ledger would find itself alone and delete the WAL that is being written.
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function linuxFileSystemType(directory: string): number {
  return process.platform === 'linux' ? statfsSync(directory).type : 0;
}

function refuseNetworkFileSystem(path: string, fileSystemType: (directory: string) => number): void {
  let name: string | undefined;
  try {
    // some platforms hand the magic number over as a signed 32-bit integer
    name = networkFileSystems.get(fileSystemType(dirname(path)) >>> 0);
  } catch (error) {
    throw unopenable(path, error);
  }
  if (name === undefined) return;
  throw new IssuerError({
    code: 'configuration',
    message: `The ledger file ${path} is on a network file system (${name}), which cannot keep SQLite's locks and flushes.`,
    hint: 'Put the ledger on a local disk, or use a PostgreSQL ledger.',
  });
}

function setPragmas(database: DatabaseSync, mode: OpenMode): void {
  if (mode === 'write') {
    whileBusy(() => database.exec('PRAGMA journal_mode = WAL'));
    database.exec('PRAGMA wal_autocheckpoint = 4000');
    database.exec('PRAGMA journal_size_limit = 67108864');
  }
  database.exec('PRAGMA synchronous = FULL');
  database.exec('PRAGMA foreign_keys = ON');
  database.exec('PRAGMA recursive_triggers = ON');
}

/**
 * Repeats what another process's opening may refuse. SQLite calls no busy handler while a file changes to WAL, since
 * two openers could wait for each other, so the timeout of the connection does not cover it.
 */
function whileBusy(act: () => void): void {
  for (let waited = 0; ; waited += busyPauseMs) {
    try {
      act();
      return;
    } catch (error) {
      if (!databaseBusy(error) || waited >= busyTimeoutMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyPauseMs);
    }
  }
}

function refuseWrongPragmas(database: DatabaseSync, path: string): void {
  const wrong = [
    ...notHeld('journal_mode', database.prepare('PRAGMA journal_mode').get(), (v) => v === 'wal'),
    ...notHeld('synchronous', database.prepare('PRAGMA synchronous').get(), (v) => Number(v) >= 2),
    ...notHeld('foreign_keys', database.prepare('PRAGMA foreign_keys').get(), (v) => v === 1),
    ...notHeld('recursive_triggers', database.prepare('PRAGMA recursive_triggers').get(), (v) => v === 1),
  ];
  if (wrong.length === 0) return;
  throw new IssuerError({
    code: 'configuration',
    message: `The ledger file ${path} does not hold ${wrong.join(' and ')}.`,
    hint: 'A ledger needs write-ahead logging and full flushes; put it on a local disk that offers shared memory.',
  });
}

function notHeld(
  name: string,
  row: Record<string, unknown> | undefined,
  holds: (value: unknown) => boolean,
): string[] {
  const value = row?.[name];
  return holds(value) ? [] : [`${name} (read back: ${String(value)})`];
}

function unopenable(path: string, cause: unknown): IssuerError {
  const errcode = (cause as { errcode?: unknown } | null)?.errcode;
  if (errcode === 26 /* SQLITE_NOTADB */) {
    return new IssuerError({
      code: 'configuration',
      message: `The file ${path} is not a ledger database.`,
      hint: 'Point II_LEDGER at another path; the file was left as it is.',
      cause,
    });
  }
  return new IssuerError({
    code: 'store_unwritable',
    message: `The ledger file ${path} cannot be opened.`,
    hint: 'Check that it exists, that this user may read and write it, and that no other program holds it locked.',
    cause,
  });
}

const uniqueCode = 2067;
const primaryKeyCode = 1555;
const [busyCode, lockedCode] = [5, 6];

/** Extended result code of an error SQLite raised; null for any other error. */
export function databaseErrorCode(error: unknown): number | null {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code : null;
}

/** Whether a statement met a row that has its unique value already. */
export function uniqueViolated(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return code === uniqueCode || code === primaryKeyCode;
}

/** Whether another connection holds a lock that was needed. */
export function databaseBusy(error: unknown): boolean {
  const code = databaseErrorCode(error);
  // the low byte is the primary code: SQLITE_BUSY_RECOVERY and _SNAPSHOT are busy as well
  return code !== null && [busyCode, lockedCode].includes(code & 0xff);
}

/** The refusal of work that no other connection may share the ledger with. */
export function ledgerInUse(path: string, cause: unknown): IssuerError {
  return new IssuerError({
    code: 'locked',
    message: `The ledger ${path} is in use.`,
    hint: 'Stop the server and the settlement process, then repeat this.',
    cause,
  });
}

/** The refusal of work on a ledger that does not exist. */
export function noLedger(path: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `There is no ledger at ${path}.`,
    hint: 'II_LEDGER and II_DATA say where it lies; issuer-serve check-config prints it.',
  });
}
