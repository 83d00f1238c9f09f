/**
 * Claims whose answer did not arrive, as this process knows them: the ledger stores it with its next batch, and a
 * client that signs anew can be faster (P2.46).
 */
export type UndeliveredClaims = {
  note(claim: ClaimOfRequest): void;
  forget(claim: ClaimOfRequest): void;
  find(payer: string, fingerprint: Uint8Array): Uint8Array | null;
};

type ClaimOfRequest = {
  readonly payer: string;
  readonly fingerprint: Uint8Array;
  readonly claimKey: Uint8Array;
};

const maxRemembered = 10_000;

/** Remembers the newest ones; the ledger has the others by then. */
export function undeliveredClaims(): UndeliveredClaims {
  const claims = new Map<string, Uint8Array>();
  const keyOf = (payer: string, fingerprint: Uint8Array): string =>
    `${payer} ${Buffer.from(fingerprint).toString('base64')}`;
  return {
    note({ payer, fingerprint, claimKey }) {
      claims.set(keyOf(payer, fingerprint), claimKey);
      for (const oldest of claims.keys()) {
        if (claims.size <= maxRemembered) break;
        claims.delete(oldest);
      }
    },
    forget: ({ payer, fingerprint }) => void claims.delete(keyOf(payer, fingerprint)),
    find: (payer, fingerprint) => claims.get(keyOf(payer, fingerprint)) ?? null,
  };
}
