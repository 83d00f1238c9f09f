import { IssuerError } from '../../data/contract/errors/issuerError.ts';

/** An issuer that is left out of a slice because its row cannot be made, and why. */
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
