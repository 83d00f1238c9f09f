import { IssuerError } from '../../contract/issuerError.ts';

const hourMs = 3_600_000;
const mostCreations = 5;
const mostAddresses = 10_000;

/** At most five checkouts an address and hour (P5.4). */
export type CreationLimit = {
  /** Counts one; the returned function takes it back when nothing was created. @throws IssuerError `rate_limited` */
  take(address: string, nowMs: number): () => void;
};

/** Remembers the creations of the last hour; the address unused for longest is forgotten first. */
export function creationLimit(): CreationLimit {
  const byAddress = new Map<string, number[]>();
  return {
    take(address, nowMs) {
      const recent = (byAddress.get(address) ?? []).filter((atMs) => nowMs - atMs < hourMs);
      const [oldest] = recent;
      if (recent.length >= mostCreations && oldest !== undefined) {
        const seconds = Math.max(1, Math.ceil((oldest + hourMs - nowMs) / 1000));
        throw new IssuerError({
          code: 'rate_limited',
          message: `More than ${mostCreations} checkouts an hour.`,
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
        const at = recent.indexOf(nowMs);
        if (at >= 0) recent.splice(at, 1);
      };
    },
  };
}
