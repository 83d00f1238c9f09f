// receipts as the ledger takes them, shows them and keeps them (PAYMENTS 8.A, INTERFACE I3.A and I5.48)

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

/** Modes of a payment, which has a claim (I3.10). */
export type PaidMode = 'x402_direct' | 'mpp' | 'gateway_batched';

export type SettlementMode = PaidMode | 'api_key_not_charged' | 'grant_covered' | 'shadow_unsettled';

/** Who moves a receipt, by the transition table (I3.2, I3.5). */
export type Actor = 'handler' | 'recovery' | 'reconciler' | `operator:${string}`;

type ReceiptCommon = {
  /** `rcpt_` + ULID */
  readonly receiptId: string;
  /** I5.49, see `reconciliationKeyOfResponse` and its siblings */
  readonly reconciliationKey: string;
  /** `resp_` + ULID */
  readonly responseId: string;
  readonly requestId: string;
  /** `R01` … `M11` */
  readonly routeId: string;
  /** `GET /v1/readiness` */
  readonly routeUri: string;
  /** 32 raw bytes of I5.24 */
  readonly fingerprint: Uint8Array;
  readonly quotedMicro: number;
  /** name of the tool when the call came over `/mcp` */
  readonly tool?: string | null;
  readonly artifactKey: string;
  readonly artifactVersion: string;
  readonly sourceDate: string | null;
  readonly qualityFlags: readonly string[];
  readonly actor: 'handler';
  readonly createdMs: number;
};

/** The receipt of an API-key answer (T1); `payerIdentity` is `apikey:<key id>`. */
export type KeyReceiptInput = ReceiptCommon & {
  readonly settlementMode: 'api_key_not_charged';
  readonly payerIdentity: string;
  readonly apiKeyId: string;
};

/** The receipt of an answer in shadow mode (T1, I5.19). */
export type ShadowReceiptInput = ReceiptCommon & {
  readonly settlementMode: 'shadow_unsettled';
  readonly payerIdentity: string | null;
};

/** The receipt of a grant-covered answer (T1), written with its hold; `payerIdentity` is `grant:grt_…`. */
export type GrantReceiptInput = ReceiptCommon & {
  readonly settlementMode: 'grant_covered';
  readonly payerIdentity: string;
};

/** The receipt of a claimed payment (T2). */
export type PaidReceiptInput = ReceiptCommon & {
  readonly settlementMode: PaidMode;
  readonly payerIdentity: string | null;
};

/**
 * An uncharged receipt as the handler hands it over (T1). Money is whole micro-USD, instants are milliseconds
 * since the epoch (P0.2).
 */
export type ReceiptInput = KeyReceiptInput | ShadowReceiptInput;

/** What an answer states about its receipt (I5.48), as far as every mode has it. */
export type ReceiptView = {
  readonly receiptId: string;
  readonly reconciliationKey: string;
  readonly responseId: string;
  readonly requestId: string;
  readonly routeUri: string;
  readonly settlementMode: SettlementMode;
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

/** A receipt as it is stored. */
export type ReceiptRow = ReceiptView & {
  readonly routeId: string;
  readonly fingerprint: Uint8Array;
  readonly claimKey: Uint8Array | null;
  readonly grantId: string | null;
  readonly apiKeyId: string | null;
  readonly tool: string | null;
  readonly sourceDate: string | null;
  /** `0x` + 64 hex, lower case */
  readonly settlementTxHash: string | null;
  readonly gatewayTransferId: string | null;
  readonly batchId: string | null;
  readonly refundReference: string | null;
  readonly refundedMicro: number;
  readonly failureReason: string | null;
  /** when it became `settled` */
  readonly settledMs: number | null;
  /** the hand-over mark of the gateway (I3.6) */
  readonly handoffMs: number | null;
  readonly delivery: Delivery | 'pending';
  /** end of the replay window, 604800 s after the first settlement (I5.26) */
  readonly replayUntilMs: number | null;
  readonly replayCount: number;
  readonly actor: string;
  readonly reason: string;
  readonly externalRef: string | null;
};

/** One row of the append-only journal (I3.5). */
export type JournalRow = {
  readonly from: ChargeStatus | '';
  readonly to: ChargeStatus;
  readonly actor: string;
  readonly reason: string;
  readonly externalRef: string | null;
  readonly atMs: number;
};

/** An `Idempotency-Key` with what it is bound to (I5.30). */
export type IdemInput = {
  /** `grant:<grant id>` or `apikey:<key id>` */
  readonly holder: string;
  readonly key: string;
  readonly fingerprint: Uint8Array;
  /** 24 h after the call */
  readonly expiresMs: number;
};
