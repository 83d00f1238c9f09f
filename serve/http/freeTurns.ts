/** Starts work in its turn: at once where none waits and this turn of the event loop has time left for it. */
export type FreeTurns = <T>(start: () => T | Promise<T>) => T | Promise<T>;

/** How long free work keeps the event loop before everything else that has arrived is read and answered. */
const sliceMs = 1;

/**
 * Makes the line in which requests that show no credential wait. A turn of the event loop does a millisecond of their work,
 * or one piece where that takes longer; then it reads its sockets again, and a request with a key, a grant or a payment,
 * which waits in no line, is answered between two pieces however many of the others there are (I8.9).
 */
export function freeTurns({
  monotonicMs,
  defer,
}: {
  monotonicMs(): number;
  /** Runs a task once the sockets were read again; `setImmediate`. */
  defer(task: () => void): void;
}): FreeTurns {
  // each says whether its turn of the loop is used up
  const waiting: (() => boolean)[] = [];
  let isTurning = false;
  let endMs = 0;

  // how long a promise will keep the loop cannot be seen, so nothing is begun behind it
  function isUsedUp(made: unknown): boolean {
    if (made instanceof Promise) endMs = 0;
    return monotonicMs() >= endMs;
  }

  function turn(): void {
    endMs = monotonicMs() + sliceMs;
    let next = waiting.shift();
    isTurning = next !== undefined;
    if (isTurning) defer(turn);
    while (next !== undefined && !next()) next = waiting.shift();
  }

  return <T>(start: () => T | Promise<T>): T | Promise<T> => {
    if (!isTurning) {
      isTurning = true;
      endMs = monotonicMs() + sliceMs;
      defer(turn);
    }
    if (waiting.length === 0 && monotonicMs() < endMs) {
      const made = start();
      isUsedUp(made);
      return made;
    }
    return new Promise<T>((resolve, reject) => {
      waiting.push(() => {
        try {
          const made = start();
          resolve(made);
          return isUsedUp(made);
        } catch (error) {
          reject(error);
          return isUsedUp(null);
        }
      });
    });
  };
}
