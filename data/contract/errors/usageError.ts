import { IssuerError } from './issuerError.ts';

/** A command line that cannot be run as it was typed; `hint` is one that can. */
export function usageError(message: string, hint: string): IssuerError {
  return new IssuerError({ code: 'usage', message, hint });
}
