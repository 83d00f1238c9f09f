import { bytes, integer, optional, type RowOf, text, words } from '../rows/columns.ts';

// API keys as the ledger keeps them (PAYMENTS 6)

export type KeyScope = 'rest' | 'mcp' | 'visual';

export const keyInfoTable = {
  keyId: text('key_id'),
  label: text('label'),
  scopes: words<KeyScope>('scopes'),
  createdMs: integer('created_ms'),
  createdBy: text('created_by'),
  expiresMs: optional(integer('expires_ms')),
  revokedMs: optional(integer('revoked_ms')),
  /** null also where a key was revoked before this was recorded */
  revokedBy: optional(text('revoked_by')),
  replacedBy: optional(text('replaced_by')),
  lastUsedMs: optional(integer('last_used_ms')),
} as const;

/** An API key as it may be shown: no salt, no hash, no secret. */
export type ApiKeyInfo = RowOf<typeof keyInfoTable>;

export const keyTable = {
  ...keyInfoTable,
  salt: bytes('salt'),
  /** SHA-256(salt ‖ secret bytes) (P6.1) */
  secretHash: bytes('secret_hash'),
} as const;

export type ApiKeyRecord = RowOf<typeof keyTable>;

export type NewApiKey = Omit<ApiKeyRecord, 'revokedMs' | 'revokedBy' | 'replacedBy' | 'lastUsedMs'> & {
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
