import { IssuerError } from '../../data/contract/errors/issuerError.ts';

/** A miss that is answered in the form of its payload instead of a problem, and is never charged (I4.R03.5). */
export class PayloadMiss extends IssuerError {
  /** The body without the members every uncharged answer carries. */
  readonly payload: object;

  constructor({ message, payload }: { readonly message: string; readonly payload: object }) {
    super({ code: 'not_found', message, hint: '' });
    this.payload = payload;
  }
}
