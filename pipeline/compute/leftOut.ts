import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { ReleaseArtifact } from '../release/artifact.ts';

/** An issuer that is excluded from a slice because its row cannot be made, and why. */
export type LeftOut = { readonly cik: string; readonly ticker: string; readonly reason: string };

/** @throws the error itself where it is not about the issuer's figures */
export function leftOutOf(
  { cik, ticker }: { readonly cik: string; readonly ticker: string | null },
  error: unknown,
): LeftOut {
  return { cik, ticker: ticker ?? cik, reason: reasonOf(error) };
}

/** What an error of one issuer's row says to an operator; what stops the night itself passes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || isStop(error)) throw error;
  if (!(error instanceof IssuerError)) return `a calculator failed: ${error.message}`;
  const { violations } = error.details as { violations?: readonly string[] };
  return violations?.[0] ?? error.message;
}

/** Errors that are about the run or the machine, and not about figures. */
export function isStop(error: unknown): boolean {
  return error instanceof IssuerError
    ? error.code !== 'validation_failed'
    : !(error instanceof Error) || 'code' in error;
}

/** One sentence for the operator. */
export function leftOutSentence({ ticker, reason }: LeftOut): string {
  return `${ticker} is left out of the slice: ${reason}`;
}

/** An artifact that a release is published without because it cannot be made or is not valid, and why (M6.6c). */
export type LeftOutArtifact = {
  readonly key: string;
  readonly leftOut: { readonly what: string; readonly reason: string };
};

/** What became of an artifact. */
export type MadeOrNot = ReleaseArtifact | LeftOutArtifact;

/**
 * Makes artifacts that a release can do without: where that fails, each of their keys is excluded with the reason.
 *
 * @param what names them in a sentence, such as `the daily brief`
 * @throws errors that are about the run or the machine
 */
export async function orLeftOut(
  { what, keys }: { readonly what: string; readonly keys: readonly string[] },
  make: () => readonly MadeOrNot[] | Promise<readonly MadeOrNot[]>,
): Promise<readonly MadeOrNot[]> {
  try {
    return await make();
  } catch (error) {
    const reason = reasonOf(error);
    return keys.map((key) => ({ key, leftOut: { what, reason } }));
  }
}

/** Makes the artifacts of each of many, one after another: where that fails, those of that one are excluded. */
export async function eachOrLeftOut<T>(
  all: Iterable<T>,
  ownOf: (one: T) => { readonly what: string; readonly keys: readonly string[] },
  make: (one: T) => ReturnType<Parameters<typeof orLeftOut>[1]>,
): Promise<MadeOrNot[]> {
  const artifacts: MadeOrNot[] = [];
  for (const one of all) artifacts.push(...(await orLeftOut(ownOf(one), () => make(one))));
  return artifacts;
}

/** A sentence for the operator about all that was excluded together. */
export function leftOutArtifactSentences(leftOut: readonly LeftOutArtifact[]): string[] {
  const said = leftOut.map(
    ({ leftOut: { what, reason } }) => `${what} is left out of the release: ${reason}`,
  );
  return [...new Set(said)];
}
