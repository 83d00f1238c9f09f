import type { LedgerTime } from '../ledger/ledger.ts';

/** Waits for a promise, but no longer than `ms`; the promise goes on alone. Its failure is thrown here, or nowhere. */
export function within<T>(promise: Promise<T>, ms: number, time: LedgerTime): Promise<T | 'late'> {
  return new Promise((resolve, reject) => {
    const cancel = time.after(ms, () => resolve('late'));
    promise.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(error);
      },
    );
  });
}
