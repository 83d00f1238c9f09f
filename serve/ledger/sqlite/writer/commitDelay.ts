import type { LedgerTime } from '../../port/ledger.ts';

/** Callers that came with one commit, from which on the next one waits for as many, and how long at most. */
export const commitDelayBounds = { callers: 4, waitMs: 2 } as const;

/**
 * A commit costs nearly the same however many writes it carries. Where callers arrive in groups, the rest of a group is awaited
 * briefly, as PostgreSQL does with `commit_delay` and `commit_siblings`; a lone caller never waits (P8.7).
 */
export type CommitDelay = {
  /** Whether a commit for this many callers waits; `over` is called when the wait ends by the clock. */
  awaits(callers: number, over: () => void): boolean;
  /** A commit took this many callers. */
  committed(callers: number): void;
  stop(): void;
};

/** No caller waits yet. */
export function commitDelay(time: LedgerTime): CommitDelay {
  let last = 0;
  let waited = false;
  let cancel: (() => void) | null = null;

  function stop(): void {
    cancel?.();
    cancel = null;
  }

  return {
    awaits: (callers, over) => {
      if (waited || last < commitDelayBounds.callers || callers >= last) return false;
      cancel ??= time.after(commitDelayBounds.waitMs, () => {
        cancel = null;
        waited = true;
        over();
      });
      return true;
    },
    committed: (callers) => {
      if (cancel !== null) stop();
      waited = false;
      last = callers;
    },
    stop,
  };
}
