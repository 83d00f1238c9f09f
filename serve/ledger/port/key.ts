// API keys as the ledger keeps them (PAYMENTS 6)

export type KeyScope = 'rest' | 'mcp' | 'visual';

/** An API key as it may be shown: no salt, no hash, no secret. */
export type ApiKeyInfo = {
  readonly keyId: string;
  readonly label: string;
  readonly scopes: readonly KeyScope[];
  readonly createdMs: number;
  readonly createdBy: string;
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
  /** null also where a key was revoked before this was recorded */
  readonly revokedBy: string | null;
  readonly replacedBy: string | null;
  readonly lastUsedMs: number | null;
};

/** A stored key: `secretHash` is SHA-256(salt ‖ secret bytes) (P6.1). */
export type ApiKeyRecord = ApiKeyInfo & { readonly salt: Uint8Array; readonly secretHash: Uint8Array };

export type NewApiKey = {
  readonly keyId: string;
  readonly salt: Uint8Array;
  readonly secretHash: Uint8Array;
  readonly label: string;
  readonly scopes: readonly KeyScope[];
  readonly createdMs: number;
  readonly createdBy: string;
  readonly expiresMs: number | null;
  /** the key this one succeeds; its `replacedBy` then points here (P6.5) */
  readonly replaces: string | null;
};

/** The stored side of API keys; checking a presented key is `serve/keys/keyRing.ts`. */
export type KeyAdmin = {
  create(key: NewApiKey): Promise<'created' | 'key_id_taken' | 'unknown_predecessor'>;
  records(): Promise<readonly ApiKeyRecord[]>;
  list(): Promise<readonly ApiKeyInfo[]>;
  revoke(o: {
    keyId: string;
    as: `operator:${string}`;
    atMs: number;
  }): Promise<'revoked' | 'already_revoked' | 'unknown'>;
  /** Hands over the last use of keys, durable with one of the next batches (P6.5). */
  noteUsed(uses: readonly { readonly keyId: string; readonly atMs: number }[]): void;
  /** Tells when another server has created or revoked a key (P6.3): a hint, absent where there is none. */
  onChange?(listener: () => void): () => void;
};
