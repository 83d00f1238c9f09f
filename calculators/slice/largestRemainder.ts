/**
 * Splits 100.00 percent over counts so that the two-decimal shares add up exactly: floors first, the missing
 * hundredths to the largest remainders, earlier entries first on ties (I2.47). All zero when nothing is counted.
 */
export function largestRemainder(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return counts.map(() => 0);
  const hundredths = counts.map((count) => Math.floor((count * 10_000) / total));
  const missing = 10_000 - hundredths.reduce((sum, share) => sum + share, 0);
  const remainder = (i: number) => ((counts[i] ?? 0) * 10_000) % total;
  const raised = new Set(
    counts
      .map((_, i) => i)
      .sort((a, b) => remainder(b) - remainder(a) || a - b)
      .slice(0, missing),
  );
  return hundredths.map((share, i) => (share + (raised.has(i) ? 1 : 0)) / 100);
}
