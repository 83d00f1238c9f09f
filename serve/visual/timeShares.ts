/** How much thread time each key has had lately. */
export type TimeShares = {
  /** Milliseconds, those of long ago counting less. */
  used(owner: string): number;
  charge(owner: string, ms: number): void;
};

/** Time that was used counts half after this long (V69). */
const halfLifeMs = 10_000;
/** A share below this is as good as none, and not kept. */
const leastMs = 0.01;

/** Keeps the shares of the keys that used time lately; the others have none. */
export function timeShares(nowMs: () => number): TimeShares {
  const shares = new Map<string, { readonly ms: number; readonly atMs: number }>();
  const left = ({ ms, atMs }: { ms: number; atMs: number }, now: number): number =>
    ms * 2 ** ((atMs - now) / halfLifeMs);
  return {
    used(owner) {
      const share = shares.get(owner);
      return share === undefined ? 0 : left(share, nowMs());
    },
    charge(owner, ms) {
      const now = nowMs();
      for (const [other, share] of shares) if (left(share, now) < leastMs) shares.delete(other);
      const share = shares.get(owner);
      shares.set(owner, { ms: (share === undefined ? 0 : left(share, now)) + ms, atMs: now });
    },
  };
}
