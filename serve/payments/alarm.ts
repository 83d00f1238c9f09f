/** Wakes one waiter; a ring while nobody waits is kept for the next wait. */
export type Alarm = {
  ring(): void;
  /** Resolves at the next ring, or at once after one that nobody waited for. */
  rung(): Promise<void>;
};

/** An alarm nobody has rung. */
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
