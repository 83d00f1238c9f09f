import { reasonOf } from '../compute/leftOut.ts';
import type { Log } from '../effects.ts';

/**
 * What is made of each registrant of a delta. One that cannot be made is reported and excluded, so that a single bad
 * company does not end the night (M6.6c).
 *
 * @throws errors that are about the run or the machine
 */
export function eachRegistrant<T, R>(
  registrants: Iterable<T>,
  { what, nameOf, make, log }: { what: string; nameOf: (one: T) => string; make: (one: T) => R; log: Log },
): R[] {
  return [...registrants].flatMap((one) => {
    try {
      return [make(one)];
    } catch (error) {
      const message = `${what} of ${nameOf(one)} cannot be made and is excluded: ${reasonOf(error)}`;
      log({ level: 'warn', step: 'changes', message });
      return [];
    }
  });
}
