import { IssuerError } from '../../data/contract/errors/issuerError.ts';

const operatorPattern = /^[A-Za-z0-9._@-]{1,64}$/;

/**
 * The actor an operator's change is journalled under (I5.51).
 *
 * @throws IssuerError `usage` for anything that is no name, a pasted key included.
 */
export function operatorName(name: string): `operator:${string}` {
  if (operatorPattern.test(name) && !/iik_/i.test(name)) return `operator:${name}`;
  throw new IssuerError({
    code: 'usage',
    message: '--as is not a name of 1 to 64 letters, digits or . _ @ -.',
    hint: 'Write for example --as ada.',
  });
}

/** Runs work on an open ledger, and closes it when the work ends or throws. */
export async function withLedger<Books extends { close(): Promise<void> }, T>(
  effects: { readonly openLedger: () => Promise<Books> },
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
export function printLine(effects: { readonly write: (text: string) => void }, value: unknown): void {
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
