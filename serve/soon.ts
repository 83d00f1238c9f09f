/**
 * Goes on with a value that may still have to be read: at once when it is there, so that an answer from memory leaves
 * in the turn its request came.
 */
export function soon<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Makes a value that may still have to be read; what fails meanwhile, at once or later, is handed to `failed`, which
 * makes another value of it or throws.
 */
export function caught<T>(make: () => T | Promise<T>, failed: (error: unknown) => T): T | Promise<T> {
  try {
    const made = make();
    return made instanceof Promise ? made.catch(failed) : made;
  } catch (error) {
    return failed(error);
  }
}
