/** Wakes one waiter; a ring between two waits counts for the next. */
export type Alarm = {
  ring(): void;
  /** Resolves at the next ring, or at once when one came before. */
  rung(): Promise<void>;
};

/** An alarm that has not rung. */
export function alarm(): Alarm {
  let kept = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      if (wake === null) kept = true;
      else wake();
      wake = null;
    },
    rung() {
      if (kept) {
        kept = false;
        return Promise.resolve();
      }
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
  };
}
