import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';

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
