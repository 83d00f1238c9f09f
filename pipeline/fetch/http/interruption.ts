import { IssuerError } from '../../../data/contract/errors/issuerError.ts';

/** Throws `interrupted` (exit 130) when the run was asked to stop, or the error it was stopped with. */
export function throwIfInterrupted(signal: AbortSignal): void {
  if (!signal.aborted) return;
  if (signal.reason instanceof IssuerError) throw signal.reason;
  throw new IssuerError({
    code: 'interrupted',
    message: 'The download was interrupted.',
    hint: 'Run again; it resumes where it stopped.',
  });
}

/**
 * Does work that may take so long at most: after that its signal is aborted with `late`, which every wait of it throws.
 */
export async function within<T>(
  { ms, late, signal }: { readonly ms: number; readonly late: IssuerError; readonly signal: AbortSignal },
  act: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(late), ms);
  try {
    return await act(AbortSignal.any([signal, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** The error of a source that was waited for long enough. */
export function tooSlow(source: string, ms: number): IssuerError {
  return new IssuerError({
    code: 'source_refused',
    message: `${source} took longer than ${ms / 1000} s and is not waited for any more.`,
    hint: 'What came is kept; run again later.',
    details: { source },
  });
}

/** Waits for a wait, but no longer than until the run is stopped; then throws as {@link throwIfInterrupted}. */
export async function waitOrInterrupt(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  const stop = Promise.withResolvers<void>();
  const onAbort = () => stop.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (!signal.aborted) await Promise.race([wait, stop.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  throwIfInterrupted(signal);
}
