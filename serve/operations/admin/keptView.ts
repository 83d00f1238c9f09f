/** How long a view is kept at least, and how many times its own making. */
const leastKeptMs = 2000;
const keptTimes = 20;

/**
 * Makes a view at most every 2 s and never twice at once; one that took long is kept twenty times as long, so that
 * looking costs at most a twentieth of one thread. `monotonicMs` is a clock that does not step.
 */
export function keptView<T>(o: { make(): Promise<T>; monotonicMs(): number }): () => Promise<T> {
  let kept: { readonly view: T; readonly untilMs: number } | null = null;
  let making: Promise<T> | null = null;

  async function make(): Promise<T> {
    const sinceMs = o.monotonicMs();
    const view = await o.make();
    const endMs = o.monotonicMs();
    kept = { view, untilMs: endMs + Math.max(leastKeptMs, keptTimes * (endMs - sinceMs)) };
    return view;
  }

  return () => {
    if (kept !== null && o.monotonicMs() < kept.untilMs) return Promise.resolve(kept.view);
    making ??= make().finally(() => {
      making = null;
    });
    return making;
  };
}
