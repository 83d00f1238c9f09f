import {
  dayTables,
  figureTables,
  type LedgerDay,
  type Listed,
  type ReceiptSums,
  sumColumns,
} from '../../ledger/port/day.ts';
import { instantText, rowShown } from '../../ledger/rows/columns.ts';
import { shownMany, shownUsd } from '../page/figures.ts';
import {
  bad,
  type Concern,
  holding,
  undeliveredConcerns,
  unsettledConcerns,
} from '../page/operatorAlerts.ts';

/** The daily report as one JSON object: whole micro-USD, instants in UTC, every member on quiet days too. */
export function dayJson({ day, madeMs, books, totals, needs }: DayReport) {
  const { figures } = books;
  const openPayment = rowShown(figureTables.openPayments, { refusal: 'last_word' });
  return {
    day,
    made_at_utc: instantText(madeMs),
    ok: needs.length === 0,
    needs: needs.map(({ weight, what, next, command }) => ({ weight, what, next, command })),
    receipts: books.receipts.map(rowShown(dayTables.receipts)),
    totals: rowShown(sumColumns)(totals),
    routes: books.routes.map(rowShown(dayTables.routes)),
    corrections: listed(books.corrections, rowShown(dayTables.corrections)),
    checkouts: books.checkouts.map(rowShown(dayTables.checkouts)),
    webhook_events: books.webhooks,
    watchlist_added: listed(books.watched, rowShown(dayTables.watched, { payer: 'wallet' })),
    keys: books.keys.map(rowShown(dayTables.keys, { what: 'change', who: 'by' })),
    open_over_an_hour: {
      ...rowShown(dayTables.counted)(books.stuck),
      oldest: figures.openPayments.map(openPayment),
    },
    undelivered_over_a_day: listed(books.overdue, rowShown(dayTables.overdue)),
    undelivered_over_a_week: rowShown(dayTables.counted, { micro: 'charged_micro_usd' })(books.pastReplay),
    waiting_for_decision: listed(books.review, rowShown(dayTables.review, { updated_ms: 'since_utc' })),
    queued_by_payer: {
      ...listed(books.queued, rowShown(dayTables.queued)),
      ...rowShown(dayTables.counted, { count: 'receipts' })(figures.queued),
    },
    ending_grants: figures.endingBudgets.map(rowShown(figureTables.endingBudgets)),
  };
}

function listed<T, U>(list: Listed<T>, shown: (row: T) => U): { total: number; rows: U[] } {
  return { total: list.total, rows: list.rows.map(shown) };
}

/** The daily report of the operator (P8.41): a day of the books and what is open when it is made. */
export type DayReport = {
  readonly day: string;
  readonly madeMs: number;
  readonly books: LedgerDay;
  readonly totals: ReceiptSums;
  /** Alerts, the most urgent first; empty on a quiet day. */
  readonly needs: readonly Concern[];
};

/** The figures of a day and its alerts. */
export function dayReport(input: { day: string; madeMs: number; books: LedgerDay }): DayReport {
  return { ...input, totals: totalOf(input.books.receipts), needs: needsOf(input.books, input.madeMs) };
}

/** The sums of all rows of one table. */
export function totalOf(rows: readonly ReceiptSums[]): ReceiptSums {
  const members = Object.keys(sumColumns) as (keyof ReceiptSums)[];
  const total = (of: keyof ReceiptSums) => rows.reduce((sum, row) => sum + row[of], 0);
  return Object.fromEntries(members.map((of) => [of, total(of)])) as ReceiptSums;
}

// an answer that did not arrive today may still be fetched today: it is a decision after a day (P8.41)
function needsOf({ figures, review, webhooks }: LedgerDay, madeMs: number): Concern[] {
  const mismatches = webhooks.find(({ result }) => result === 'mismatch')?.count ?? 0;
  const listedMicro = review.rows.reduce((sum, { chargedMicro }) => sum + chargedMicro, 0);
  const reorged = review.rows.some(({ why }) => why === 'chain_reorg');
  return holding(
    ...unsettledConcerns(figures, madeMs),
    review.total > 0 &&
      bad(
        `${shownMany(review.total, 'charge')} waiting for your decision, ${shownUsd(listedMicro)} listed`,
        reorged
          ? 'A block that held a transfer is gone: look at the chain, then record the dispute and decide.'
          : 'Their buyers dispute them: decide for seller or payer.',
        `issuer-serve ledger ${reorged ? 'dispute <receipt> --reason chain_reorg' : 'resolve <receipt> --outcome seller|payer'} --as <you>`,
      ),
    mismatches > 0 &&
      bad(
        `${shownMany(mismatches, 'card payment')} not as the checkout asked: nothing was credited`,
        'Amount, currency or mode differ from the checkout, or it had ended. Look at the payment at the card provider; refund it there.',
      ),
    ...(figures.undelivered.overdue === 0 ? [] : undeliveredConcerns(figures)),
  );
}
