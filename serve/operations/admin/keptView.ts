/** How long a view is kept at least, and how many times its own making. */
const leastKeptMs = 2000;
const keptTimes = 20;
/** A view that took longer than this to make is shown a while longer, so that nobody waits for its successor. */
const slowMs = 500;
const shownWhileMakingMs = 120_000;

type Kept<T> = { readonly view: T; readonly untilMs: number; readonly shownUntilMs: number };

/**
 * Makes a view at most every 2 s and never twice at once; one that took long is kept twenty times as long, so that
 * looking costs at most a twentieth of one thread, and is shown until the next one is there. `monotonicMs` is a
 * clock that does not step.
 */
export function keptView<T>(o: { make(): Promise<T>; monotonicMs(): number }): () => Promise<T> {
  let kept: Kept<T> | null = null;
  let making: Promise<T> | null = null;

  async function make(): Promise<T> {
    const sinceMs = o.monotonicMs();
    const view = await o.make();
    const endMs = o.monotonicMs();
    const tookMs = endMs - sinceMs;
    const untilMs = endMs + Math.max(leastKeptMs, keptTimes * tookMs);
    kept = { view, untilMs, shownUntilMs: untilMs + (tookMs > slowMs ? shownWhileMakingMs : 0) };
    return view;
  }

  return () => {
    const nowMs = o.monotonicMs();
    if (kept !== null && nowMs < kept.untilMs) return Promise.resolve(kept.view);
    making ??= make().finally(() => {
      making = null;
    });
    if (kept === null || nowMs >= kept.shownUntilMs) return making;
    // who waits for the next one sees its failure; nobody waits here
    making.catch(() => {});
    return Promise.resolve(kept.view);
  };
}
