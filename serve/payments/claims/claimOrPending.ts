import { IssuerError } from '../../../contract/issuerError.ts';
import { settlementPending } from '../x402/paymentAnswers.ts';

/**
 * Writes a claim; one whose outcome is unknown may be committed: nothing was sent, and the same payment tells (P8.10).
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
