// the ledger port (PAYMENTS 8.A): the rest of the server sees money state through these types and nothing else.
// exactly the part of P8.63; the methods of the payment rails join it unchanged in kind.

/** The states of a receipt (I3.1). */
export type ChargeStatus =
  | 'not_charged'
  | 'authorized'
  | 'queued_for_batch'
  | 'submitted'
  | 'settled'
  | 'failed'
  | 'refunded'
  | 'disputed';

/** How the answer ended on the wire (P1.14). */
export type Delivery = 'delivered' | 'partial' | 'undelivered';

/**
 * An uncharged receipt as the handler hands it over (T1). Money is whole micro-USD, instants are milliseconds
 * since the epoch (P0.2); `fingerprint` is the 32 raw bytes of I5.24.
 */
export type ReceiptInput = {
  /** `rcpt_` + ULID */
  readonly receiptId: string;
  /** I5.49, see `reconciliationKeyOfResponse` */
  readonly reconciliationKey: string;
  /** `resp_` + ULID */
  readonly responseId: string;
  readonly requestId: string;
  /** `R01` … `M11` */
  readonly routeId: string;
  /** `GET /v1/readiness` */
  readonly routeUri: string;
  readonly fingerprint: Uint8Array;
  readonly settlementMode: 'api_key_not_charged';
  readonly quotedMicro: number;
  /** `apikey:<key id>` */
  readonly payerIdentity: string;
  readonly apiKeyId: string;
  readonly artifactKey: string;
  readonly artifactVersion: string;
  readonly sourceDate: string | null;
  readonly qualityFlags: readonly string[];
  /** who moves it, by the transition table (I3.2) */
  readonly actor: 'handler';
  readonly createdMs: number;
};

/** What an answer says about its receipt (I5.48), as the ledger holds it. */
export type ReceiptView = {
  readonly receiptId: string;
  readonly reconciliationKey: string;
  readonly responseId: string;
  readonly requestId: string;
  readonly routeUri: string;
  readonly settlementMode: 'api_key_not_charged';
  readonly chargeStatus: ChargeStatus;
  readonly quotedMicro: number;
  readonly chargedMicro: number;
  readonly payerIdentity: string | null;
  readonly artifactKey: string;
  readonly artifactVersion: string;
  readonly qualityFlags: readonly string[];
  readonly createdMs: number;
  readonly updatedMs: number;
};

/** Why the ledger refuses new uncharged receipts. */
export type LedgerFailure =
  | 'not_open'
  | 'disk_full'
  | 'disk_low'
  | 'file_busy'
  | 'writer_restarting'
  | 'writer_dead';

/** `failing` makes `/ready` and every paid route 503 (I3.6). */
export type LedgerHealth = {
  readonly status: 'ok' | 'failing';
  readonly reason: LedgerFailure | null;
  /** operations handed over and not yet durable */
  readonly waiting: number;
  /** an operation has waited longer than 2 s (P8.8) */
  readonly slow: boolean;
};

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
  revoke(o: { keyId: string; atMs: number }): Promise<'revoked' | 'already_revoked' | 'unknown'>;
  /** Hands over the last use of keys, durable with one of the next batches (P6.5). */
  noteUsed(uses: readonly { readonly keyId: string; readonly atMs: number }[]): void;
};

/**
 * Money state of one deployment. A promise resolves after its transaction is durable (P8.3); conflicts are
 * results, exceptions mean the ledger is unavailable or the code is wrong (P8.4).
 */
export type Ledger = {
  /** @throws IssuerError `configuration` or `store_unwritable` when the store cannot keep its promises (P8.5). */
  open(): Promise<void>;
  /** Makes everything handed over durable, then lets go of the store. */
  close(): Promise<void>;
  health(): Promise<LedgerHealth>;
  /**
   * Takes an uncharged receipt over, to be called before the first byte and not awaited (P6.6); it is durable
   * at the latest 100 ms later (P8.3).
   *
   * @throws IssuerError `overloaded` when the queue is full (P8.8), `settlement_unavailable` when the writer
   * cannot write (X47): the call is then answered with that 503 and nothing was taken.
   */
  noteNotCharged(receipt: ReceiptInput): void;
  /** Takes the final delivery state over, durable at the latest 100 ms later (P1.14). */
  delivered(receiptId: string, delivery: Delivery): void;
  readonly keys: KeyAdmin;
};

/** Clock and timers of the ledger and the key ring, injected so that tests decide what time it is. */
export type LedgerTime = {
  /** milliseconds since the epoch */
  nowMs(): number;
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void;
};

/** One structured line; carries ids, counts and codes, never a credential (P6.7). */
export type LedgerLog = (line: {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>>;
}) => void;
