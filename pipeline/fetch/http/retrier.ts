import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { Effects } from '../../effects.ts';
import { waitOrInterrupt } from './interruption.ts';
import type { RefusalKind } from './refusal.ts';
import { decideRetry, parseRetryAfter, type RetryLimits } from './retryPolicy.ts';

/** `status`: the answer that refused, `cause`: why. `content`: the body came whole and cannot be used. */
export type GiveUpDetails = {
  readonly status?: number;
  readonly cause?: RefusalKind;
  readonly content?: 'unusable';
};

/** With what a host is asked, and asked again. */
export type Asking = {
  readonly random: () => number;
  readonly effects: Effects;
  readonly signal: AbortSignal;
};

/** Counts the failures of one URL and waits between attempts. */
export type Retrier = {
  /** Waits before the next attempt; throws `source_refused` when there is to be none, `interrupted` when stopped. */
  after(failure: { reason: string; retryAfter: string | null; progressed: boolean }): Promise<void>;
  /** The error that ends this URL now; `details` says to a caller what kind of end it is. */
  giveUp(reason: string, details?: GiveUpDetails): IssuerError;
};

/** Starts counting for one URL. */
export function retrier({
  url,
  limits,
  random,
  effects,
  signal,
}: Asking & { url: string; limits: RetryLimits }): Retrier {
  const { clock, log } = effects;
  let failures = 0;
  let failuresInARow = 0;
  return {
    giveUp: (reason, details = {}) => givenUp({ url, reason, retryAt: null, details }),
    async after(failure) {
      failures += 1;
      failuresInARow = failure.progressed ? 1 : failuresInARow + 1;
      const retryAfterMs = parseRetryAfter(failure.retryAfter, clock.now());
      const next = decideRetry({
        failuresInARow,
        failures,
        retryAfterMs,
        random,
        limits,
      });
      if (next.kind === 'give_up') {
        const retryAt =
          retryAfterMs === null ? null : new Date(clock.now().getTime() + retryAfterMs).toISOString();
        throw givenUp({ url, reason: failure.reason, retryAt, details: {} });
      }
      log({
        level: 'warn',
        step: 'fetch',
        message: `${url}: ${failure.reason}; trying again in ${next.delayMs} ms`,
        fields: { url, failures, delay_ms: next.delayMs },
      });
      await waitOrInterrupt(clock.sleep(next.delayMs), signal);
    },
  };
}

function givenUp({
  url,
  reason,
  retryAt,
  details,
}: Record<'url' | 'reason', string> & { retryAt: string | null; details: GiveUpDetails }): IssuerError {
  return new IssuerError({
    code: 'source_refused',
    message: `${url} could not be downloaded: ${reason}.`,
    hint: /^redirects /.test(reason)
      ? 'Open the address it names: a host that has moved its files needs a newer version of this program.'
      : retryAt === null
        ? 'Run again later; what was downloaded so far is kept.'
        : `Run again after ${retryAt}, the time the server asked for; what was downloaded so far is kept.`,
    details: { url, reason, retry_at: retryAt, ...details },
  });
}
