/**
 * Goes on with a value that may still have to be read: at once when it is there, so that an answer from memory leaves
 * in the turn its request came.
 */
export function soon<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}
