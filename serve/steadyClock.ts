/** A clock that is further back was wrong before its step: it is followed. */
const mostHeldMs = 2 * 3_600_000;

/**
 * A clock that stands still where the one behind it steps back by up to two hours, until that one has caught up:
 * what was over, a token, a challenge or a key, does not begin again (S37). Milliseconds since the epoch.
 */
export function steadyClock(nowMs: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    const now = nowMs();
    if (now > latest || latest - now > mostHeldMs) latest = now;
    return latest;
  };
}
