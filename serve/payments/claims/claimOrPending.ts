import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { settlementPending } from './claimAnswers.ts';

/**
 * Writes a claim. A write with an unknown outcome may be committed: nothing was sent, and a repeat of the same payment
 * finds out (P8.10).
 *
 * @throws IssuerError `settlement_pending` then
 */
export async function claimOrPending<T>(receiptId: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof IssuerError && error.code === 'store_unwritable') throw settlementPending(receiptId);
    throw error;
  }
}
