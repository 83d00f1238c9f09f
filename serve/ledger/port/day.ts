import { integer, optional, present, type RowOf, text } from '../rows/columns.ts';
import type { CheckoutState, WebhookResult } from './checkout.ts';
import type { GrantProgram, GrantStatus } from './grant.ts';
import { type PaymentPhase, type Provider, watchTable } from './payment.ts';
import { type ChargeStatus, journalTable, type SettlementMode } from './receipt.ts';

// what the operations page and the metrics show of the money (I5.51, P9.14)

const stateColumns = {
  mode: text<SettlementMode>('settlement_mode'),
  status: text<ChargeStatus>('charge_status'),
} as const;
const countColumns = { count: integer('count'), micro: integer('micro') } as const;

export const figureTables = {
  /** receipts of one mode and state, created today (UTC) and in the last seven days */
  receipts: {
    ...stateColumns,
    today: integer('today'),
    todayMicro: integer('today_micro'),
    week: integer('week'),
    weekMicro: integer('week_micro'),
  },
  /** payments without an outcome, with the last answer of the provider */
  openPayments: {
    receiptId: text('receipt_id'),
    provider: text<Provider>('provider'),
    phase: text<PaymentPhase>('phase'),
    amountMicro: integer('amount_micro'),
    checks: integer('checks'),
    refusal: optional(text('refusal')),
    createdMs: integer('created_ms'),
  },
  /** of the undelivered ones `overdue` for a day and longer: refunding is the operator's decision (P8.41) */
  undelivered: { ...countColumns, overdue: integer('overdue') },
  jobs: { state: text('state'), count: integer('count') },
  /** grants with less than a tenth of their budget, or with less than seven days left */
  endingBudgets: {
    grantId: text('grant_id'),
    program: text<GrantProgram>('program'),
    status: text<GrantStatus>('status'),
    accountId: optional(text('account_id')),
    budgetMicro: integer('budget_micro'),
    remainingMicro: integer('remaining_micro'),
    expiresMs: integer('expires_ms'),
  },
} as const;

type Figure<Name extends keyof typeof figureTables> = RowOf<(typeof figureTables)[Name]>;
/** How many, and the sum of their amounts. */
export type Counted = RowOf<typeof countColumns>;

/** Counts and the most urgent rows, of one snapshot. */
export type LedgerFigures = {
  readonly receipts: readonly Figure<'receipts'>[];
  /** `authorized` and `submitted` */
  readonly unresolved: number;
  /** the oldest of them, at most `shownRows` */
  readonly openPayments: readonly Figure<'openPayments'>[];
  readonly queued: Counted;
  /** settled or queued in the last seven days, answer never delivered (I3.8) */
  readonly undelivered: Figure<'undelivered'>;
  /** jobs that have not ended, and the dead ones among the newest hundred thousand */
  readonly jobs: readonly Figure<'jobs'>[];
  readonly oldestJobMs: number | null;
  /** the first to run out, at most `shownRows` */
  readonly endingBudgets: readonly Figure<'endingBudgets'>[];
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

export const sumColumns = {
  count: integer('count'),
  quotedMicro: integer('quoted_micro'),
  chargedMicro: integer('charged_micro'),
  refundedMicro: integer('refunded_micro'),
  grantDebitMicro: integer('grant_debit_micro'),
} as const;

/** Sums of receipts; the columns of the export over the same rows add up to them (I5.32). */
export type ReceiptSums = RowOf<typeof sumColumns>;

/** The first rows of a list, and how many there are. */
export type Listed<T> = { readonly total: number; readonly rows: readonly T[] };

const { atMs, ...step } = journalTable;

export const dayTables = {
  receipts: { ...stateColumns, ...sumColumns },
  routes: { routeId: text('route_id'), routeUri: text('route_uri'), ...sumColumns },
  counted: countColumns,
  /** charged answers that never arrived */
  overdue: {
    receiptId: text('receipt_id'),
    mode: text<SettlementMode>('settlement_mode'),
    chargedMicro: integer('charged_micro'),
    routeUri: text('route_uri'),
    payerIdentity: optional(text('payer_identity')),
    createdMs: integer('created_ms'),
  },
  /** charges that only an operator can end: the block was reorganized away (P8.54), or the buyer disputes it (T11) */
  review: {
    receiptId: text('receipt_id'),
    why: text<'chain_reorg' | 'disputed'>('why'),
    chargedMicro: integer('charged_micro'),
    updatedMs: integer('updated_ms'),
  },
  /** what one payer has queued at the gateway (P3.11) */
  queued: {
    payerIdentity: optional(text('payer_identity')),
    ...countColumns,
    oldestMs: integer('oldest_ms'),
  },
  watched: { ...watchTable, cleared: present('cleared') },
  /** checkouts whose state changed that day */
  checkouts: {
    state: text<CheckoutState>('state'),
    count: integer('count'),
    creditMicro: integer('credit_micro'),
  },
  /** what the events of the card provider came to that day */
  webhooks: { result: text<WebhookResult>('result'), count: integer('count') },
  /** refunds, disputes, and the decisions of them */
  corrections: {
    receiptId: text('receipt_id'),
    ...step,
    chargedMicro: integer('charged_micro'),
    refundedMicro: integer('refunded_micro'),
    atMs,
  },
  keys: {
    keyId: text('key_id'),
    label: text('label'),
    what: text<'created' | 'revoked' | 'expiring'>('what'),
    by: optional(text('who')),
    atMs: integer('at_ms'),
  },
} as const;

type OfDay<Name extends keyof typeof dayTables> = RowOf<(typeof dayTables)[Name]>;

/** A day of the books, of one snapshot; lists are of at most `shownRows`. */
export type LedgerDay = {
  readonly [Name in 'receipts' | 'routes' | 'checkouts' | 'webhooks' | 'keys']: readonly OfDay<Name>[];
} & {
  /** `overdue` were settled or queued in the last seven days and not delivered for a day and longer */
  readonly [Name in 'overdue' | 'review' | 'queued' | 'watched' | 'corrections']: Listed<OfDay<Name>>;
} & {
  readonly figures: LedgerFigures;
  /** authorized or submitted for an hour and longer (P8.42) */
  readonly stuck: Counted;
  /** undelivered from before the last seven days: their buyers can fetch them no more */
  readonly pastReplay: Counted;
};
