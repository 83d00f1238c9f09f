import { networkOf } from '../../http/clientAddress.ts';
import { RateLimited, type RateLimiter } from '../../http/rateLimit.ts';

/** The payments of an address that could not be verified (I8.3 `badpay`, P2.34). */
export type FailedPayments = {
  /** Refuses the address that has used its failures up. @throws IssuerError `rate_limited` */
  admit(address: string): void;
  /** Counts one. */
  count(address: string): void;
  /**
   * Asks a third party about an unverified payment and counts a failure. At most as many questions run at once as may
   * still fail, so that a burst does not get past the limit (S20).
   *
   * @throws IssuerError `rate_limited`
   */
  ask<T>(address: string, question: () => Promise<T>, isFailure: (answer: T) => boolean): Promise<T>;
};

/** Keeps the failures of one server in the buckets of its limiter. */
export function failedPayments(limiter: RateLimiter): FailedPayments {
  const asking = new Map<string, number>();

  function refuseWithout(address: string, needed: number): void {
    const state = limiter.peek('badpay', address);
    if (state === null || state.remaining >= needed) return;
    throw new RateLimited({ ...state, retrySeconds: Math.max(1, state.retrySeconds) });
  }

  return {
    admit: (address) => refuseWithout(address, 1),
    count: (address) => void limiter.take('badpay', address),
    async ask(from, question, isFailure) {
      const address = networkOf(from);
      const others = asking.get(address) ?? 0;
      refuseWithout(address, others + 1);
      asking.set(address, others + 1);
      try {
        const answer = await question();
        if (isFailure(answer)) limiter.take('badpay', address);
        return answer;
      } finally {
        const left = (asking.get(address) ?? 1) - 1;
        if (left === 0) asking.delete(address);
        else asking.set(address, left);
      }
    },
  };
}
