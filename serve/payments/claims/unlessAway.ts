import { IssuerError } from '../../../data/contract/errors/issuerError.ts';

/**
 * Asks for the state of a payment that was claimed; null while the ledger gives no answer. Its money may move
 * meanwhile: the answer to that is `settlement_pending` or `payment_in_progress`, never that nothing was stored (X50).
 */
export async function unlessAway<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof IssuerError) return null;
    throw error;
  }
}
