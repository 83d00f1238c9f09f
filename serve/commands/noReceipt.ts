import { IssuerError } from '../../data/contract/errors/issuerError.ts';

/** No receipt of that id is in the ledger. */
export function noReceipt(receiptId: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `There is no receipt ${receiptId}.`,
    hint: 'ledger export lists the receipts of a day.',
  });
}
