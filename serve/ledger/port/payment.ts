import { bytes, chainSeconds, integer, optional, type RowOf, rowReader, text } from '../rows/columns.ts';
import type { Actor, ChargeStatus, PaidReceiptInput, ReceiptRow } from './receipt.ts';

// authorizations and what becomes of them (PAYMENTS 8.D to 8.G)

export type Provider = 'x402_exact' | 'gateway_batched' | 'mpp';

/** The inner view of the settlement call (P8.28). */
export type PaymentPhase = 'claimed' | 'calling' | 'accepted' | 'refused' | 'unknown';

/** How deep a settled transfer is in the chain (P8.54). */
export type Finality = 'none' | 'included' | 'safe' | 'reorged';

/** The settlement job written with the claim when this deployment settles itself (P2.48, P9.3). */
export type SettlementJobInput = {
  readonly kind: 'evm_exact' | 'mpp_broadcast';
  /** canonical authorization and signature */
  readonly payload: Uint8Array;
  readonly notBeforeMs: number;
  /** `validBefore` − 6 s */
  readonly deadlineMs: number;
};

/**
 * Columns of a claim. Addresses are lower case, hashes and nonces raw bytes, `validAfter` and `validBefore` chain
 * seconds below 2^63.
 */
export const paymentTable = {
  /** SHA-256 of I5.23 */
  claimKey: bytes('claim_key'),
  provider: text<Provider>('provider'),
  network: text('network'),
  domainContract: text('domain_contract'),
  payer: text('payer'),
  nonce: bytes('nonce'),
  /** `payment-identifier` (I5.29) */
  clientRef: optional(text('client_ref')),
  payTo: text('pay_to'),
  amountMicro: integer('amount_micro'),
  validAfter: chainSeconds('valid_after'),
  validBefore: chainSeconds('valid_before'),
  /** SHA-256 over canonical authorization and signature (P8.31) */
  payloadHash: bytes('payload_hash'),
  fingerprint: bytes('fingerprint'),
  phase: text<PaymentPhase>('phase'),
  receiptId: text('receipt_id'),
  /** known before the broadcast for MPP */
  txHash: optional(text('tx_hash')),
  refusal: optional(text('refusal')),
  /** name of the server that works on it (P8.40) */
  owner: text('owner'),
  ownerUntilMs: integer('owner_until_ms'),
  nextCheckMs: optional(integer('next_check_ms')),
  checks: integer('checks'),
  finality: text<Finality>('finality'),
  blockNumber: optional(integer('block_number')),
  createdMs: integer('created_ms'),
  updatedMs: integer('updated_ms'),
} as const;

/** A claim as it is stored. */
export type PaymentRow = RowOf<typeof paymentTable>;
export const paymentRow = rowReader(paymentTable);

/** What binds an authorization to one request (P8.20–P8.23). */
type BoundAuthorization = Omit<
  PaymentRow,
  | 'phase'
  | 'receiptId'
  | 'refusal'
  | 'nextCheckMs'
  | 'checks'
  | 'finality'
  | 'blockNumber'
  | 'createdMs'
  | 'updatedMs'
>;

/** What the handler claims before any settle call (P8.21). */
export type ClaimInput = BoundAuthorization & {
  /** exact and MPP go to `submitted` (T3), the gateway gets its hand-over mark */
  readonly next: 'submitted' | 'handoff';
  readonly job: SettlementJobInput | null;
  readonly receipt: PaidReceiptInput;
};

/** A claim with its receipt. */
export type ClaimedPayment = { readonly payment: PaymentRow; readonly receipt: ReceiptRow };

/** A credential that is answered under the receipt of an earlier payment of its payer (P2.46a). */
export type AliasInput = {
  readonly claimKey: Uint8Array;
  readonly payloadHash: Uint8Array;
  /** claim key of the payment that answers it */
  readonly answeredBy: Uint8Array;
  readonly atMs: number;
};

/**
 * Who won the authorization (P8.22a). Lost with a row: the same claim key is stored (P8.29). Lost with a
 * `conflict`: another unique value is: `client_ref` is 409 `payment_identifier_conflict`, `tx_hash` (MPP) is 402
 * `invalid_challenge`.
 */
export type ClaimResult =
  | { readonly won: true; readonly receipt: ReceiptRow }
  | ({ readonly won: false; readonly conflict: null } & ClaimedPayment)
  | { readonly won: false; readonly conflict: 'client_ref' | 'tx_hash' };

/**
 * What a transition may set beside the state. The ledger itself sets `charged_micro`, `settled_ms`, the replay
 * window, the payment's phase (P8.28) and, when `recovery` settles, the delivery state (I3.8).
 */
export type TransitionFields = {
  readonly settlementTxHash?: string;
  readonly gatewayTransferId?: string;
  readonly batchId?: string;
  /** mandatory for `failed` */
  readonly failureReason?: string;
  /** mandatory for `refunded` */
  readonly refundReference?: string;
  readonly refundedMicro?: number;
  /** joins the receipt's quality flags */
  readonly addFlag?: 'recovered' | 'settlement_not_confirmed' | 'gateway_not_used';
  /** when the reconcile worker checks next; null or absent: never */
  readonly nextCheckMs?: number | null;
  readonly finality?: Finality;
  readonly blockNumber?: number;
};

/** One step of the state machine, compare-and-set on (receipt id, from) (P8.27). */
export type Transition = {
  readonly receiptId: string;
  readonly from: ChargeStatus;
  readonly to: ChargeStatus;
  readonly actor: Actor;
  readonly reason: string;
  readonly externalRef?: string;
  readonly atMs: number;
  readonly set: TransitionFields;
};

/** `calling` → `unknown`: the call ended without a definite answer; the receipt stays as it is (P8.28). */
export type UnknownOutcome = {
  readonly claimKey: Uint8Array;
  /** a hash the provider named, for the worker to check */
  readonly txHash: string | null;
  /** the answer of the provider */
  readonly refusal: string | null;
  readonly nextCheckMs: number;
  readonly atMs: number;
};

/** The end of one check of a claim by the worker: ownership is released, the number of checks grows (P8.42). */
export type CheckNote = {
  readonly claimKey: Uint8Array;
  readonly owner: string;
  /** null: nothing is left to check */
  readonly nextCheckMs: number | null;
  readonly finality?: Finality;
  readonly blockNumber?: number;
  /** The gateway's batch a queued transfer is in; null or absent: not known (P3.8). */
  readonly batchId?: string | null;
  readonly atMs: number;
};

/**
 * `recovery`: `authorized` and `submitted` without a live handler (I3.7). `reconcile`: queued transfers (P3.10)
 * and settled ones whose finality is open (P8.54).
 */
export type DueKind = 'recovery' | 'reconcile';

/** `payer_watchlist` without when and by whom an entry was cleared. */
export const watchTable = {
  payer: text('payer'),
  provider: text<Provider>('provider'),
  reason: text('reason'),
  receiptId: optional(text('receipt_id')),
  addedMs: integer('added_ms'),
} as const;

/** A payer whose batched payments are refused (I3.9). */
export type WatchEntry = RowOf<typeof watchTable>;

export type Watchlist = {
  add(entry: WatchEntry): Promise<'added' | 'already_listed'>;
  /** Clears every open entry of a payer. */
  clear(o: { payer: string; by: string; atMs: number }): Promise<number>;
  has(o: { payer: string; provider: Provider }): Promise<boolean>;
  list(): Promise<readonly WatchEntry[]>;
};
