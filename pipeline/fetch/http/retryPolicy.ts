/** Bounds of trying again; milliseconds. */
export type RetryLimits = {
  /** Failures in a row without one new byte before the download gives up. */
  readonly maxFailuresInARow: number;
  /** Failures of one URL in one run before it gives up, progress or not. */
  readonly maxFailures: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** A server that asks for more patience than this ends the run instead. */
  readonly maxRetryAfterMs: number;
};

export const defaultRetryLimits: RetryLimits = {
  maxFailuresInARow: 5,
  maxFailures: 30,
  baseDelayMs: 1_000,
  maxDelayMs: 60_000,
  maxRetryAfterMs: 300_000,
};

export type RetryDecision =
  | { readonly kind: 'wait'; readonly delayMs: number }
  | { readonly kind: 'give_up'; readonly why: 'too_many_failures' | 'retry_after_too_long' };

/**
 * Milliseconds a `Retry-After` value asks for, counted from `now`; null when there is none or it is not
 * delay-seconds or an HTTP date (RFC 9110 §10.2.3). A date in the past is 0.
 */
export function parseRetryAfter(value: string | null, now: Date): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // the three HTTP-date forms all begin with the day's name; asctime has no zone and means GMT
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[A-Za-z]*,? /.test(text) || text.length > 40) return null;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}

/**
 * Decides whether and when a failed request is sent again: what the server asked for when it did,
 * else exponential backoff with full jitter (`random` in [0, 1)).
 */
export function decideRetry({
  failuresInARow,
  failures,
  retryAfterMs,
  random,
  limits,
}: {
  failuresInARow: number;
  failures: number;
  retryAfterMs: number | null;
  random: () => number;
  limits: RetryLimits;
}): RetryDecision {
  if (failuresInARow >= limits.maxFailuresInARow || failures >= limits.maxFailures) {
    return { kind: 'give_up', why: 'too_many_failures' };
  }
  // retrying sooner than asked would be hammering, so a long demand is honoured by leaving
  if (retryAfterMs !== null && retryAfterMs > limits.maxRetryAfterMs) {
    return { kind: 'give_up', why: 'retry_after_too_long' };
  }
  const ceiling = Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** (failuresInARow - 1));
  // Retry-After: 0 or a past date is no licence to hot-retry
  const asked = retryAfterMs ?? 0;
  return { kind: 'wait', delayMs: asked > 0 ? asked : Math.round(random() * ceiling) };
}
