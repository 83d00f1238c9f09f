import type { Clock } from '../../effects.ts';

/** Hands out one token per call, in call order; resolves when the caller may send its request. */
export type TokenBucket = { take(): Promise<void> };

/**
 * Makes a token bucket: any window of `w` seconds grants at most `capacity + ratePerSecond · w` tokens.
 *
 * Slots are reserved when asked for, so callers are served in order and none starves.
 */
export function tokenBucket({
  ratePerSecond,
  capacity,
  clock,
}: {
  ratePerSecond: number;
  capacity: number;
  clock: Clock;
}): TokenBucket {
  // whole milliseconds, rounded towards fewer requests
  const intervalMs = Math.ceil(1000 / ratePerSecond);
  const burstMs = (capacity - 1) * intervalMs;
  // time at which the bucket would be full again if nothing more were taken
  let fullAt = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return {
    async take() {
      const now = clock.now().getTime();
      // a clock set back must not turn into hours of waiting
      if (now < last) fullAt -= last - now;
      last = now;
      const grantAt = Math.max(now, fullAt - burstMs);
      fullAt = Math.max(fullAt, grantAt) + intervalMs;
      if (grantAt > now) await clock.sleep(grantAt - now);
    },
  };
}
