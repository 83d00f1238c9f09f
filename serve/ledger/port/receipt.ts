import { bytes, integer, optional, type RowOf, rowReader, text, words } from '../rows/columns.ts';

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

/** Columns of a receipt as both databases keep it, by the names the port gives them. */
export const receiptTable = {
  receiptId: text('receipt_id'),
  reconciliationKey: text('reconciliation_key'),
  responseId: text('response_id'),
  requestId: text('request_id'),
  routeId: text('route_id'),
  routeUri: text('route_uri'),
  fingerprint: bytes('fingerprint'),
  settlementMode: text<SettlementMode>('settlement_mode'),
  chargeStatus: text<ChargeStatus>('charge_status'),
  quotedMicro: integer('quoted_micro'),
  chargedMicro: integer('charged_micro'),
  payerIdentity: optional(text('payer_identity')),
  claimKey: optional(bytes('claim_key')),
  grantId: optional(text('grant_id')),
  apiKeyId: optional(text('api_key_id')),
  tool: optional(text('tool')),
  artifactKey: text('artifact_key'),
  artifactVersion: text('artifact_version'),
  sourceDate: optional(text('source_date')),
  /** `0x` + 64 hex, lower case */
  settlementTxHash: optional(text('settlement_tx_hash')),
  gatewayTransferId: optional(text('gateway_transfer_id')),
  batchId: optional(text('batch_id')),
  refundReference: optional(text('refund_reference')),
  refundedMicro: integer('refunded_micro'),
  failureReason: optional(text('failure_reason')),
  /** when it became `settled` */
  settledMs: optional(integer('settled_ms')),
  /** the hand-over mark of the gateway (I3.6) */
  handoffMs: optional(integer('handoff_ms')),
  delivery: text<Delivery | 'pending'>('delivery_status'),
  /** end of the replay window, 604800 s after the first settlement (I5.26) */
  replayUntilMs: optional(integer('replay_until_ms')),
  replayCount: integer('replay_count'),
  qualityFlags: words('quality_flags'),
  actor: text('actor'),
  reason: text('reason'),
  externalRef: optional(text('external_ref')),
  createdMs: integer('created_ms'),
  updatedMs: integer('updated_ms'),
} as const;

/** A receipt as it is stored. */
export type ReceiptRow = RowOf<typeof receiptTable>;
export const receiptRow = rowReader(receiptTable);

/** What an answer states about its receipt (I5.48), as far as every mode has it. */
export type ReceiptView = Pick<
  ReceiptRow,
  | 'receiptId'
  | 'reconciliationKey'
  | 'responseId'
  | 'requestId'
  | 'routeUri'
  | 'settlementMode'
  | 'chargeStatus'
  | 'quotedMicro'
  | 'chargedMicro'
  | 'payerIdentity'
  | 'artifactKey'
  | 'artifactVersion'
  | 'qualityFlags'
  | 'createdMs'
  | 'updatedMs'
>;

/** `receipt_events` without its number and receipt. */
export const journalTable = {
  from: text<ChargeStatus | ''>('from_status'),
  to: text<ChargeStatus>('to_status'),
  actor: text('actor'),
  reason: text('reason'),
  externalRef: optional(text('external_ref')),
  atMs: integer('at_ms'),
} as const;

/** One row of the append-only journal (I3.5). */
export type JournalRow = RowOf<typeof journalTable>;

/** An `Idempotency-Key` with what it is bound to (I5.30). */
export type IdemInput = {
  /** `grant:<grant id>` or `apikey:<key id>` */
  readonly holder: string;
  readonly key: string;
  readonly fingerprint: Uint8Array;
  /** 24 h after the call */
  readonly expiresMs: number;
};
