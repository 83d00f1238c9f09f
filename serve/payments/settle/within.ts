import type { LedgerTime } from '../../ledger/port/ledger.ts';

/** Waits for a promise for at most `ms`; after that the promise runs on and its failure is not reported. */
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
