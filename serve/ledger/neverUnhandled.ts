/** The same promise; its failure ends no process when it is not awaited (P1.14): a held debit is released later. */
export function neverUnhandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
