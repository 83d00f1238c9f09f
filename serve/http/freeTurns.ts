/** Starts work in its turn: at once where none waits and this turn of the event loop has time left for it. */
export type FreeTurns = <T>(start: () => Promise<T>) => Promise<T>;

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
  const waiting: (() => Promise<void>)[] = [];
  let isTurning = false;
  /** how much of this turn is used up is known once the piece before has ended */
  let isWorking = false;
  let endMs = 0;

  async function turn(): Promise<void> {
    const untilMs = monotonicMs() + sliceMs;
    endMs = untilMs;
    isTurning = waiting.length > 0;
    if (isTurning) defer(turn);
    // a piece that has to read something ends in a later turn, which has begun the next one meanwhile
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await next();
      if (monotonicMs() >= untilMs) return;
    }
  }

  return <T>(start: () => Promise<T>): Promise<T> => {
    if (!isTurning) {
      isTurning = true;
      isWorking = false;
      endMs = monotonicMs() + sliceMs;
      defer(turn);
    }
    if (waiting.length > 0 || isWorking || monotonicMs() >= endMs)
      return new Promise((resolve, reject) => {
        waiting.push(() => start().then(resolve, reject));
      });
    isWorking = true;
    return start().finally(() => {
      isWorking = false;
    });
  };
}
