import { IssuerError, usageError } from '../../data/contract/errors/issuerError.ts';
import type { Ledger, LedgerTime } from '../ledger/port/ledger.ts';

/** What a command needs of the world. */
export type OperatorEffects<Books = Ledger> = {
  /** A ledger that is open. */
  readonly openLedger: () => Promise<Books>;
  readonly time: LedgerTime;
  readonly write: (text: string) => void;
};

const operatorPattern = /^[A-Za-z0-9._@-]{1,64}$/;

/**
 * The actor an operator's change is journalled under (I5.51).
 *
 * @throws IssuerError `usage` for anything that is no name, a pasted key included.
 */
export function operatorName(name: string): `operator:${string}` {
  if (operatorPattern.test(name) && !/iik_/i.test(name)) return `operator:${name}`;
  throw usageError(
    '--as is not a name of 1 to 64 letters, digits or . _ @ -.',
    'Write for example --as ada.',
  );
}

/** Runs work on an open ledger, and closes it when the work ends or throws. */
export async function withLedger<Books extends { close(): Promise<void> }, T>(
  effects: Pick<OperatorEffects<Books>, 'openLedger'>,
  work: (ledger: Books) => Promise<T>,
): Promise<T> {
  const ledger = await effects.openLedger();
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** Prints one JSON object on a line. */
export function printLine(effects: Pick<OperatorEffects, 'write'>, value: unknown): void {
  effects.write(`${JSON.stringify(value)}\n`);
}

/** No receipt of that id is in the ledger. */
export function noReceipt(receiptId: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `There is no receipt ${receiptId}.`,
    hint: 'ledger export lists the receipts of a day.',
  });
}
