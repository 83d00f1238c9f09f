/** How long a view is kept at least, and how many times its own making. */
const leastKeptMs = 2000;
const keptTimes = 20;
/** A view that took longer than this to make is shown a while longer, so that no request waits for its successor. */
const slowMs = 500;
const shownWhileMakingMs = 120_000;

type Kept<T> = { readonly view: T; readonly untilMs: number; readonly shownUntilMs: number };

/**
 * Makes a view at most every 2 s and never twice at once; one that took long is kept twenty times as long, so that
 * views cost at most a twentieth of one thread, and is shown until the next one is there. `monotonicMs` is a
 * clock that does not step.
 */
export function keptView<T>(deps: { make(): Promise<T>; monotonicMs(): number }): () => Promise<T> {
  let kept: Kept<T> | null = null;
  let making: Promise<T> | null = null;

  async function make(): Promise<T> {
    const sinceMs = deps.monotonicMs();
    const view = await deps.make();
    const endMs = deps.monotonicMs();
    const tookMs = endMs - sinceMs;
    const untilMs = endMs + Math.max(leastKeptMs, keptTimes * tookMs);
    kept = { view, untilMs, shownUntilMs: untilMs + (tookMs > slowMs ? shownWhileMakingMs : 0) };
    return view;
  }

  return () => {
    const nowMs = deps.monotonicMs();
    if (kept !== null && nowMs < kept.untilMs) return Promise.resolve(kept.view);
    making ??= make().finally(() => {
      making = null;
    });
    if (kept === null || nowMs >= kept.shownUntilMs) return making;
    // its failure reaches the requests that wait for it; this one does not
    making.catch(() => {});
    return Promise.resolve(kept.view);
  };
}
