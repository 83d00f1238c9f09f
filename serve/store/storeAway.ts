/** The store did not answer, or refused; says nothing of the bytes that lie there. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';
  /** It was known before, and nothing was asked. */
  readonly isKnown: boolean;

  constructor(why: string, { isKnown, cause }: { isKnown: boolean; cause?: unknown }) {
    super(why, { cause });
    this.isKnown = isKnown;
  }
}
