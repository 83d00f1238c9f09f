import type { Ledger } from './ledger.ts';

/**
 * Sweeps what was over at the look before this one already. A clock that leaps forward ends the holds of answers that
 * are on their way: they have the time between two looks to be delivered and paid, and a hold that nobody ends is
 * given back one look later (P7.11, S37). The first look of a process sweeps nothing.
 */
export function secondLook(ledger: Pick<Ledger, 'clock' | 'sweep'>): () => Promise<void> {
  let lookedMs: number | null = null;
  return async () => {
    const before = lookedMs;
    lookedMs = await ledger.clock();
    // after a leap backward the look before lies ahead
    if (before !== null) await ledger.sweep(Math.min(before, lookedMs));
  };
}
