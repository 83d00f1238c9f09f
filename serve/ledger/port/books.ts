import type { Provider } from './payment.ts';
import type { ChargeStatus, Delivery, SettlementMode } from './receipt.ts';

// what leaves the ledger for book-keeping, and the proof that the books are right (PAYMENTS 8.H)

/** One row of the reconciliation export, in ledger types; `exportColumns` gives order and formats (I5.32). */
export type ExportRow = {
  readonly reconciliationKey: string;
  readonly receiptId: string;
  readonly requestId: string;
  readonly responseId: string;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly settledMs: number | null;
  readonly routeUri: string;
  readonly tool: string | null;
  readonly sourceDate: string | null;
  readonly artifactVersion: string;
  readonly settlementMode: SettlementMode;
  readonly chargeStatus: ChargeStatus;
  readonly provider: Provider | null;
  readonly network: string | null;
  readonly domainContract: string | null;
  readonly quotedMicro: number;
  readonly chargedMicro: number;
  readonly refundedMicro: number;
  readonly grantId: string | null;
  readonly grantProgram: string | null;
  readonly grantDebitMicro: number;
  readonly payerIdentity: string | null;
  /** lower-case hex (I5.23) */
  readonly authorizationHash: string | null;
  readonly gatewayTransferId: string | null;
  readonly batchId: string | null;
  readonly settlementTxHash: string | null;
  readonly refundReference: string | null;
  readonly failureReason: string | null;
  readonly delivery: Delivery | 'pending';
  readonly replayCount: number;
  readonly apiKeyId: string | null;
  readonly qualityFlags: readonly string[];
};

/** One broken rule with the row it is broken at. */
export type BookProblem = { readonly rule: string; readonly subject: string; readonly detail: string };

/** What `ledger check` found (I5.33): no problem means that the books balance. */
export type CheckReport = {
  readonly receipts: number;
  readonly payments: number;
  readonly grants: number;
  readonly debits: number;
  readonly events: number;
  /** charged over `settled` and `queued_for_batch` */
  readonly chargedMicro: number;
  readonly problems: readonly BookProblem[];
};

/** Counts for metrics and the operations page (P9.14). */
export type LedgerOverview = {
  readonly receipts: readonly {
    readonly mode: SettlementMode;
    readonly status: ChargeStatus;
    readonly count: number;
    readonly chargedMicro: number;
  }[];
  readonly jobs: readonly { readonly state: string; readonly count: number }[];
  /** `authorized` and `submitted` */
  readonly unresolved: number;
  /** settled or queued, answer never delivered */
  readonly undelivered: number;
  readonly oldestJobMs: number | null;
};
