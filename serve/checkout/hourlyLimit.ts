import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { networkOf } from '../http/clientAddress.ts';

const hourMs = 3_600_000;
const mostAddresses = 10_000;

/** Counts something an address does, over an hour that moves along. */
type HourlyLimit = {
  /** Counts one; the returned function takes it back. @throws IssuerError `rate_limited` */
  take(address: string, nowMs: number): () => void;
};

/** Allows `most` of `what` an hour; the address unused for longest is forgotten first. */
function hourlyLimit({ most, what }: { most: number; what: string }): HourlyLimit {
  const byAddress = new Map<string, number[]>();
  return {
    take(from, nowMs) {
      const address = networkOf(from);
      const recent = (byAddress.get(address) ?? []).filter((atMs) => nowMs - atMs < hourMs);
      const [oldest] = recent;
      if (recent.length >= most && oldest !== undefined) {
        const seconds = Math.max(1, Math.ceil((oldest + hourMs - nowMs) / 1000));
        throw new IssuerError({
          code: 'rate_limited',
          message: `More than ${most} ${what} an hour.`,
          hint: `Wait ${seconds} s.`,
          details: { retry_after_seconds: seconds, policy: 'checkout' },
        });
      }
      recent.push(nowMs);
      byAddress.delete(address);
      byAddress.set(address, recent);
      if (byAddress.size > mostAddresses) {
        const first = byAddress.keys().next();
        if (first.done !== true) byAddress.delete(first.value);
      }
      return () => {
        // a later count has its own array by now
        const kept = byAddress.get(address) ?? recent;
        const at = kept.indexOf(nowMs);
        if (at >= 0) kept.splice(at, 1);
      };
    },
  };
}

/** What one address may do with checkouts. */
export type CheckoutLimits = {
  /** Checkouts that were opened (P5.4). */
  readonly creations: HourlyLimit;
  /** Requests that named no checkout opened before: each may be a guess at another buyer's key (I4.F14.1). */
  readonly tries: HourlyLimit;
};

/** Five creations (P5.4) and twenty tries an hour. */
export function checkoutLimits(): CheckoutLimits {
  return {
    creations: hourlyLimit({ most: 5, what: 'checkouts' }),
    tries: hourlyLimit({ most: 20, what: 'tries to open a checkout' }),
  };
}
