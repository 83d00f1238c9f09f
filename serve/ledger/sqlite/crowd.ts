import type { LedgerTime } from '../ledger.ts';

/** Callers that came with one commit, from which on the next one waits for as many, and how long at most. */
export const crowdBounds = { callers: 4, waitMs: 2 } as const;

/**
 * A commit costs nearly the same whatever it carries. Where callers come in crowds, the rest of a crowd is waited for
 * a moment, as PostgreSQL does with `commit_delay` and `commit_siblings`; a lone caller never waits (P8.7).
 */
export type Crowd = {
  /** Whether a commit for this many callers waits; `over` is called when the wait ends by the clock. */
  awaits(callers: number, over: () => void): boolean;
  /** A commit took this many callers. */
  committed(callers: number): void;
  stop(): void;
};

/** Nobody has come yet. */
export function crowd(time: LedgerTime): Crowd {
  let last = 0;
  let waited = false;
  let cancel: (() => void) | null = null;

  function stop(): void {
    cancel?.();
    cancel = null;
  }

  return {
    awaits: (callers, over) => {
      if (waited || last < crowdBounds.callers || callers >= last) return false;
      cancel ??= time.after(crowdBounds.waitMs, () => {
        cancel = null;
        waited = true;
        over();
      });
      return true;
    },
    committed: (callers) => {
      stop();
      waited = false;
      last = callers;
    },
    stop,
  };
}
