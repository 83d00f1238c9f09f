import { setTimeout as startTimer, clearTimeout as stopTimer } from 'node:timers';

/** A limit on how long something may take, as a signal. */
export type TimeLimit = {
  readonly signal: AbortSignal;
  /** Moves the limit further away. */
  extend(ms: number): void;
  /** Whether it was the limit that ended it. */
  isOver(): boolean;
  /** Nothing is limited any more. */
  end(): void;
};

/** Aborts after `ms`, or when `outer` does. */
export function timeLimit(ms: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const stop = () => controller.abort();
  let until = performance.now() + ms;
  let over = false;
  const expire = (): void => {
    const left = until - performance.now();
    if (left > 0) {
      timer = startTimer(expire, Math.ceil(left));
      return;
    }
    over = true;
    stop();
  };
  let timer = startTimer(expire, Math.ceil(ms));
  if (outer?.aborted === true) stop();
  outer?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    extend: (more) => {
      until += more;
    },
    isOver: () => over,
    end() {
      stopTimer(timer);
      outer?.removeEventListener('abort', stop);
    },
  };
}
