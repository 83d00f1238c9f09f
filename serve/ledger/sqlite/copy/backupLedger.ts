import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import { moveIntoSync } from '../../../../data/store/files/replaceFile.ts';
import { noLedger } from '../schema/databaseError.ts';
import { copyLedger, type LedgerCopy } from './ledgerCopy.ts';

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
  return new IssuerError({
    code: 'usage',
    message: `The file ${path} exists and is not replaced.`,
    hint: 'Name a new file, for example with the date in it.',
  });
}
