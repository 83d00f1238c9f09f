/**
 * A sum over all rows that took a while is kept for a hundred times as long, at most a second: it then costs one
 * hundredth of the time, and a bound on queued payments may be that late (P3.11). Short sums are computed each time.
 */
export function keptSum(make: () => number): () => number {
  let kept = 0;
  let untilMs = Number.NEGATIVE_INFINITY;
  return () => {
    const startMs = performance.now();
    if (startMs < untilMs) return kept;
    kept = make();
    const tookMs = performance.now() - startMs;
    untilMs = tookMs < 1 ? Number.NEGATIVE_INFINITY : startMs + Math.min(1000, 100 * tookMs);
    return kept;
  };
}
