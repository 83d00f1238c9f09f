/** How many connections are held at a time; those above are dropped and counted. */
export type ConnectionBound = { readonly most: number; dropped(): void };

/** Descriptors kept for artifacts, ledger, providers and the admin listener; half of a small limit. */
const kept = 256;
const toldEveryMs = 60_000;

/** Connections that the soft limit on open files leaves room for; infinite where the text names no such limit. */
export function mostConnections(limits: string): number {
  const soft = /^Max open files +(\d+) /m.exec(limits)?.[1];
  if (soft === undefined) return Number.POSITIVE_INFINITY;
  const files = Number(soft);
  return Math.max(1, files - Math.min(kept, Math.ceil(files / 2)));
}

/** Counts every connection that is dropped; they are told of once a minute, as a flood must not fill the log. */
export function connectionBound({
  most,
  count,
  tell,
  nowMs,
}: {
  most: number;
  count(): void;
  tell(dropped: number): void;
  nowMs(): number;
}): ConnectionBound {
  let toldMs = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return {
    most,
    dropped() {
      count();
      untold += 1;
      if (nowMs() - toldMs < toldEveryMs) return;
      toldMs = nowMs();
      tell(untold);
      untold = 0;
    },
  };
}
