/** The same promise, whose failure ends no process when nobody awaits it (P1.14): a held debit is released later. */
export function neverUnhandled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
