import type { CheckoutState, WebhookResult } from './checkout.ts';
import type { GrantProgram, GrantStatus } from './grant.ts';
import type { PaymentPhase, Provider } from './payment.ts';
import type { ChargeStatus, SettlementMode } from './receipt.ts';

// what the operations page and the metrics show of the money (I5.51, P9.14)

/** Receipts of one mode and state, created today (UTC) and in the last seven days. */
export type ReceiptFigure = {
  readonly mode: SettlementMode;
  readonly status: ChargeStatus;
  readonly today: number;
  readonly todayMicro: number;
  readonly week: number;
  readonly weekMicro: number;
};

/** A payment without an outcome. */
export type OpenPayment = {
  readonly receiptId: string;
  readonly provider: Provider;
  readonly phase: PaymentPhase;
  readonly amountMicro: number;
  /** the last answer of the provider */
  readonly refusal: string | null;
  readonly checks: number;
  readonly createdMs: number;
};

/** A grant with less than a tenth of its budget, or with less than seven days left. */
export type EndingBudget = {
  readonly grantId: string;
  readonly program: GrantProgram;
  readonly status: GrantStatus;
  readonly accountId: string | null;
  readonly budgetMicro: number;
  readonly remainingMicro: number;
  readonly expiresMs: number;
};

/** Counts and the most urgent rows, of one snapshot. */
export type LedgerFigures = {
  readonly receipts: readonly ReceiptFigure[];
  /** `authorized` and `submitted` */
  readonly unresolved: number;
  /** the oldest of them, at most `shownRows` */
  readonly openPayments: readonly OpenPayment[];
  readonly queued: { readonly count: number; readonly micro: number };
  /** settled or queued in the last seven days, answer never delivered (I3.8) */
  readonly undelivered: {
    readonly count: number;
    readonly micro: number;
    /** of them, for a day and longer: refunding is the operator's decision (P8.41) */
    readonly overdue: number;
  };
  /** jobs that have not ended, and the dead ones among the newest hundred thousand */
  readonly jobs: readonly { readonly state: string; readonly count: number }[];
  readonly oldestJobMs: number | null;
  /** the first to run out, at most `shownRows` */
  readonly endingBudgets: readonly EndingBudget[];
};

/** What the figures are of, and how long they may take. */
export type FiguresInput = { readonly nowMs: number; readonly withinMs: number };

/** Rows of each list; the counts are of all. */
export const shownRows = 20;

const dayMs = 86_400_000;

/** The windows of the figures and how far ahead a grant's end is announced. */
export function figureWindows(nowMs: number) {
  return {
    todayMs: nowMs - (nowMs % dayMs),
    weekMs: nowMs - 7 * dayMs,
    dayAgoMs: nowMs - dayMs,
    nowMs,
    soonMs: nowMs + 7 * dayMs,
  };
}

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
type OverdueReceipt = {
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
type QueuedPayer = {
  readonly payerIdentity: string | null;
  readonly count: number;
  readonly micro: number;
  readonly oldestMs: number;
};

type WatchedPayer = {
  readonly payer: string;
  readonly provider: Provider;
  readonly reason: string;
  readonly receiptId: string | null;
  readonly addedMs: number;
  readonly cleared: boolean;
};

/** A refund, a dispute, or the decision of one. */
type Correction = {
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
