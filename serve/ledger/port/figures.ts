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
