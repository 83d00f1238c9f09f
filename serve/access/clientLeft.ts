import { IssuerError } from '../../data/contract/errors/issuerError.ts';

/** The end of a call whose client is gone: nothing is claimed, recorded or sent for it (P1.13). */
export function clientLeft(): IssuerError {
  return new IssuerError({ code: 'overloaded', message: 'The client left.', hint: '' });
}
