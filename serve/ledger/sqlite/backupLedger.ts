import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { IssuerError } from '../../../contract/issuerError.ts';
import { copyLedger, flushDirectoryOf, type LedgerCopy } from './ledgerCopy.ts';

/**
 * Writes a proven copy of a ledger that may be in use to a new file (P8.12): a reader sees the whole copy or none,
 * and no file that was there is replaced.
 *
 * @throws IssuerError `input_missing` without a ledger, `usage` when the file exists, and what `copyLedger` throws.
 */
export async function backupLedger(o: { path: string; to: string; nowMs: number }): Promise<LedgerCopy> {
  if (!existsSync(o.path)) throw noLedger(o.path);
  if (existsSync(o.to)) throw taken(o.to);
  const partial = `${o.to}.${process.pid}.partial`;
  const copy = await copyLedger({ from: o.path, to: partial, notes: { copied_ms: String(o.nowMs) } });
  try {
    // takes the name before the copy gets it: a rename alone would replace what came there meanwhile
    closeSync(openSync(o.to, 'wx', 0o600));
  } catch (error) {
    rmSync(partial);
    throw (error as { code?: unknown }).code === 'EEXIST' ? taken(o.to) : error;
  }
  renameSync(partial, o.to);
  flushDirectoryOf(o.to);
  return copy;
}

function noLedger(path: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `There is no ledger at ${path}.`,
    hint: 'II_LEDGER and II_DATA say where it lies; issuer-serve check-config prints it.',
  });
}

function taken(path: string): IssuerError {
  return new IssuerError({
    code: 'usage',
    message: `The file ${path} exists and is not replaced.`,
    hint: 'Name a new file, for example with the date in it.',
  });
}
