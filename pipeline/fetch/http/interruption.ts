import { IssuerError } from '../../../contract/errors/issuerError.ts';

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
