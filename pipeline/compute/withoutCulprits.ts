import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Log } from '../effects.ts';
import { isStop, type LeftOut, leftOutSentence } from './leftOut.ts';
import type { KnownPosition } from './resolveVintages.ts';

/** What is made of positions, and the issuers that had to be left out of it. */
export type WithoutCulprits<T> = { readonly made: T; readonly leftOut: readonly LeftOut[] };

/**
 * Makes a slice of positions; where that fails because of the row of one issuer, makes it without that issuer, so that
 * counts, ranks and cross-sections hold what is published (M6.6b). Nothing is looked into while all goes well.
 *
 * @param culpritsOf the issuers whose rows cannot be made
 * @throws what `make` throws, when no issuer is to blame for it or too many are
 */
export async function withoutCulprits<T>({
  known,
  unresolved,
  make,
  culpritsOf,
  minShare,
  log,
}: {
  known: readonly KnownPosition[];
  /** Issuers left out before, since there is no position of them. */
  unresolved: readonly LeftOut[];
  make: (known: readonly KnownPosition[]) => Promise<T>;
  culpritsOf: (known: readonly KnownPosition[]) => Promise<readonly LeftOut[]>;
  /** Share of the issuers without which there is no slice, unless it is a single one that goes. */
  minShare: number;
  log: Log;
}): Promise<WithoutCulprits<T>> {
  const leftOut = [...unresolved];
  const of = known.length + unresolved.length;
  if (areTooMany(unresolved.length, { of, minShare })) throw noSlice(unresolved);
  let left = known;
  for (;;) {
    try {
      return { made: await make(left), leftOut };
    } catch (error) {
      if (isStop(error)) throw error;
      const culprits = await culpritsOf(left);
      leftOut.push(...culprits);
      if (culprits.length === 0 || areTooMany(leftOut.length, { of, minShare })) throw error;
      for (const one of culprits) log({ level: 'warn', step: 'compute', message: leftOutSentence(one) });
      const names = new Set(culprits.map(({ cik }) => cik));
      left = left.filter(({ position }) => !names.has(position.issuer.cik));
    }
  }
}

/** A defect of many rows is one of the program or of an input, and last night's slice is better than half of one. */
function areTooMany(n: number, { of, minShare }: { of: number; minShare: number }): boolean {
  return n > 0 && (n === of || (n > 1 && of - n < minShare * of));
}

function noSlice(leftOut: readonly LeftOut[]): IssuerError {
  const sentences = leftOut.map(leftOutSentence);
  return new IssuerError({
    code: 'validation_failed',
    message: `${sentences[0]}${leftOut.length > 1 ? `, and ${leftOut.length - 1} more issuers are` : ''}.`,
    hint: 'Nothing was published and the promoted release is untouched; so many failures are a defect of a calculator.',
    details: { leftOut: sentences.slice(0, 100) },
  });
}
