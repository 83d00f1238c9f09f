import type { Ledger } from './port/ledger.ts';

/**
 * A sweep that ends only what was over at the previous run already (P7.11, S37). When the clock leaps forward, answers
 * under way keep the time between two runs to commit their holds. The first run of a process sweeps nothing.
 */
export function graceSweep({ clock, sweep }: Pick<Ledger, 'clock' | 'sweep'>): () => Promise<void> {
  let lastRunMs: number | null = null;
  return async () => {
    const before = lastRunMs;
    lastRunMs = await clock();
    // after a leap backward the previous run lies ahead
    if (before !== null) await sweep(Math.min(before, lastRunMs));
  };
}
