import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';

/** What was not written, or perhaps not (P8.10). */
export function unavailable(message: string): IssuerError {
  const hint = 'Free the disk or end the program that holds the file, then try again.';
  return new IssuerError({ code: 'store_unwritable', message, hint });
}

/** Why nothing new may begin (P8.8, P8.12). */
export function refusal(code: 'overloaded' | 'settlement_unavailable', message: string): IssuerError {
  return new IssuerError({ code, message, hint: 'Try again later.' });
}
