const stepsMs = [500, 1000, 2000, 4000, 8000, 15_000];

/**
 * How long a job waits after its `attempts`-th try met a node that failed: 0.5 s, 1 s, 2 s … 15 s, and of each between a
 * half and the whole by chance, so that jobs that failed together do not come back together (P9.10).
 */
export function backOffMs(attempts: number, random: () => number): number {
  const most = stepsMs[Math.min(Math.max(attempts, 1), stepsMs.length) - 1] ?? 15_000;
  return Math.round((most * (1 + random())) / 2);
}
