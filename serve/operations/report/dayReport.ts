import type { LedgerDay, ReceiptSums } from '../../ledger/port/day.ts';
import { shownMany, shownUsd } from '../page/figures.ts';
import { type Concern, undeliveredConcerns, unsettledConcerns } from '../page/operatorAlerts.ts';

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
  const sum = (of: (row: ReceiptSums) => number): number => rows.reduce((all, row) => all + of(row), 0);
  return {
    count: sum((row) => row.count),
    quotedMicro: sum((row) => row.quotedMicro),
    chargedMicro: sum((row) => row.chargedMicro),
    refundedMicro: sum((row) => row.refundedMicro),
    grantDebitMicro: sum((row) => row.grantDebitMicro),
  };
}

// an answer that did not arrive today may still be fetched today: it is a decision after a day (P8.41)
function needsOf({ figures, review, webhooks }: LedgerDay, madeMs: number): Concern[] {
  const mismatches = webhooks.find(({ result }) => result === 'mismatch')?.count ?? 0;
  const reorged = review.rows.some(({ why }) => why === 'chain_reorg');
  return [
    ...unsettledConcerns(figures, madeMs),
    ...(review.total === 0
      ? []
      : [
          {
            weight: 'bad',
            what: `${shownMany(review.total, 'charge')} waiting for your decision, ${shownUsd(sumOf(review.rows))} listed`,
            next: reorged
              ? 'A block that held a transfer is gone: look at the chain, then record the dispute and decide.'
              : 'Their buyers dispute them: decide for seller or payer.',
            command: `issuer-serve ledger ${reorged ? 'dispute <receipt> --reason chain_reorg' : 'resolve <receipt> --outcome seller|payer'} --as <you>`,
          } as const,
        ]),
    ...(mismatches === 0
      ? []
      : [
          {
            weight: 'bad',
            what: `${shownMany(mismatches, 'card payment')} not as the checkout asked: nothing was credited`,
            next: 'Amount, currency or mode differ from the checkout, or it had ended. Look at the payment at the card provider; refund it there.',
            command: null,
          } as const,
        ]),
    ...(figures.undelivered.overdue === 0 ? [] : undeliveredConcerns(figures)),
  ];
}

function sumOf(rows: readonly { readonly chargedMicro: number }[]): number {
  return rows.reduce((sum, { chargedMicro }) => sum + chargedMicro, 0);
}
