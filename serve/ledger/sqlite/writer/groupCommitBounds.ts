/** Bounds of P8.7, P8.8, P8.10 and P8.12; times in milliseconds. */
export const groupCommitBounds = {
  operationsPerCommit: 512,
  waiting: 10_000,
  // leaves room for the commit itself inside the promised 100
  lingerMs: 80,
  slowMs: 2000,
  retryMs: 1000,
  restartWindowMs: 60_000,
  maintainMs: 5000,
  checkpointMs: 60_000,
  lowDiskBytes: 256 * 1024 * 1024,
} as const;
