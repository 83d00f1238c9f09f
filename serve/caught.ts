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
