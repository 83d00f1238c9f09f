/** The right to publish into a store; one holder at a time (STORE ST16). */
export type Lease = {
  /** @throws IssuerError `locked` when it is not held any more */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
};
