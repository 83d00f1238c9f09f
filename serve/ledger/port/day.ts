import type { CheckoutState, WebhookResult } from './checkout.ts';
import type { LedgerFigures } from './figures.ts';
import type { Provider } from './payment.ts';
import type { ChargeStatus, SettlementMode } from './receipt.ts';

// one day of the books and what is open when they are read, for the operator's daily report (P8.41)

/** A day, and the instant that "open" and "soon" refer to. */
export type DayInput = { readonly fromMs: number; readonly toMs: number; readonly nowMs: number };

/** Sums of receipts; the columns of the export over the same rows add up to them (I5.32). */
export type ReceiptSums = {
  readonly count: number;
  readonly quotedMicro: number;
  readonly chargedMicro: number;
  readonly refundedMicro: number;
  readonly grantDebitMicro: number;
};

/** The first rows of a list, and how many there are. */
export type Listed<T> = { readonly total: number; readonly rows: readonly T[] };

/** A charged answer that never arrived. */
export type OverdueReceipt = {
  readonly receiptId: string;
  readonly mode: SettlementMode;
  readonly chargedMicro: number;
  readonly routeUri: string;
  readonly payerIdentity: string | null;
  readonly createdMs: number;
};

/** A charge that only an operator can end: its block was reorganized away (P8.54), or its buyer disputes it (T11). */
export type ReviewReceipt = {
  readonly receiptId: string;
  readonly why: 'chain_reorg' | 'disputed';
  readonly chargedMicro: number;
  readonly updatedMs: number;
};

/** What one payer has queued at the gateway (P3.11). */
export type QueuedPayer = {
  readonly payerIdentity: string | null;
  readonly count: number;
  readonly micro: number;
  readonly oldestMs: number;
};

export type WatchedPayer = {
  readonly payer: string;
  readonly provider: Provider;
  readonly reason: string;
  readonly receiptId: string | null;
  readonly addedMs: number;
  readonly cleared: boolean;
};

/** A refund, a dispute, or the decision of one. */
export type Correction = {
  readonly receiptId: string;
  readonly from: ChargeStatus;
  readonly to: ChargeStatus;
  readonly actor: string;
  readonly reason: string;
  readonly externalRef: string | null;
  readonly chargedMicro: number;
  readonly refundedMicro: number;
  readonly atMs: number;
};

export type KeyChange = {
  readonly keyId: string;
  readonly label: string;
  readonly what: 'created' | 'revoked' | 'expiring';
  readonly by: string | null;
  readonly atMs: number;
};

/** A day of the books, of one snapshot; lists are of at most `shownRows`. */
export type LedgerDay = {
  readonly receipts: readonly (ReceiptSums & {
    readonly mode: SettlementMode;
    readonly status: ChargeStatus;
  })[];
  readonly routes: readonly (ReceiptSums & { readonly routeId: string; readonly routeUri: string })[];
  readonly figures: LedgerFigures;
  /** authorized or submitted for an hour and longer (P8.42) */
  readonly stuck: { readonly count: number; readonly micro: number };
  /** settled or queued in the last seven days, never delivered, for a day and longer */
  readonly overdue: Listed<OverdueReceipt>;
  /** the same from before the last seven days: their buyers can fetch them no more */
  readonly pastReplay: { readonly count: number; readonly micro: number };
  readonly review: Listed<ReviewReceipt>;
  readonly queued: Listed<QueuedPayer>;
  readonly watched: Listed<WatchedPayer>;
  /** checkouts whose state changed that day */
  readonly checkouts: readonly {
    readonly state: CheckoutState;
    readonly count: number;
    readonly creditMicro: number;
  }[];
  /** what the events of the card provider came to that day */
  readonly webhooks: readonly { readonly result: WebhookResult; readonly count: number }[];
  readonly corrections: Listed<Correction>;
  readonly keys: readonly KeyChange[];
};
