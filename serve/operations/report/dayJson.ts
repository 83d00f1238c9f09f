import { instantText } from '../../ledger/books/export.ts';
import type { LedgerDay, Listed, ReceiptSums } from '../../ledger/port/day.ts';
import { shownMany, shownUsd } from '../page/figures.ts';
import { type Concern, undeliveredConcerns, unsettledConcerns } from '../page/operatorAlerts.ts';

/** The daily report as one JSON object: whole micro-USD, instants in UTC, every member on quiet days too. */
export function dayJson({ day, madeMs, books, totals, needs }: DayReport) {
  const { figures } = books;
  return {
    day,
    made_at_utc: instantText(madeMs),
    ok: needs.length === 0,
    needs: needs.map(({ weight, what, next, command }) => ({ weight, what, next, command })),
    receipts: books.receipts.map((row) => ({
      settlement_mode: row.mode,
      charge_status: row.status,
      ...sums(row),
    })),
    totals: sums(totals),
    routes: books.routes.map((row) => ({ route_id: row.routeId, route_uri: row.routeUri, ...sums(row) })),
    corrections: listed(books.corrections, (row) => ({
      receipt_id: row.receiptId,
      from: row.from,
      to: row.to,
      actor: row.actor,
      reason: row.reason,
      external_reference: row.externalRef,
      charged_micro_usd: row.chargedMicro,
      refunded_micro_usd: row.refundedMicro,
      at_utc: instantText(row.atMs),
    })),
    checkouts: books.checkouts.map((row) => ({
      state: row.state,
      count: row.count,
      credit_micro_usd: row.creditMicro,
    })),
    webhook_events: books.webhooks,
    watchlist_added: listed(books.watched, (row) => ({
      wallet: row.payer,
      provider: row.provider,
      reason: row.reason,
      receipt_id: row.receiptId,
      added_at_utc: instantText(row.addedMs),
      cleared: row.cleared,
    })),
    keys: books.keys.map((row) => ({
      key_id: row.keyId,
      label: row.label,
      change: row.what,
      by: row.by,
      at_utc: instantText(row.atMs),
    })),
    open_over_an_hour: {
      count: books.stuck.count,
      micro_usd: books.stuck.micro,
      oldest: figures.openPayments.map((row) => ({
        receipt_id: row.receiptId,
        provider: row.provider,
        phase: row.phase,
        amount_micro_usd: row.amountMicro,
        checks: row.checks,
        last_word: row.refusal,
        created_at_utc: instantText(row.createdMs),
      })),
    },
    undelivered_over_a_day: listed(books.overdue, (row) => ({
      receipt_id: row.receiptId,
      settlement_mode: row.mode,
      charged_micro_usd: row.chargedMicro,
      route_uri: row.routeUri,
      payer_identity: row.payerIdentity,
      created_at_utc: instantText(row.createdMs),
    })),
    undelivered_over_a_week: { count: books.pastReplay.count, charged_micro_usd: books.pastReplay.micro },
    waiting_for_decision: listed(books.review, (row) => ({
      receipt_id: row.receiptId,
      why: row.why,
      charged_micro_usd: row.chargedMicro,
      since_utc: instantText(row.updatedMs),
    })),
    queued_by_payer: {
      ...listed(books.queued, (row) => ({
        payer_identity: row.payerIdentity,
        count: row.count,
        micro_usd: row.micro,
        oldest_at_utc: instantText(row.oldestMs),
      })),
      receipts: figures.queued.count,
      micro_usd: figures.queued.micro,
    },
    ending_grants: figures.endingBudgets.map((row) => ({
      grant_id: row.grantId,
      program: row.program,
      status: row.status,
      account_id: row.accountId,
      budget_micro_usd: row.budgetMicro,
      remaining_micro_usd: row.remainingMicro,
      expires_at_utc: instantText(row.expiresMs),
    })),
  };
}

function sums(of: ReceiptSums) {
  return {
    count: of.count,
    quoted_micro_usd: of.quotedMicro,
    charged_micro_usd: of.chargedMicro,
    refunded_micro_usd: of.refundedMicro,
    grant_debit_micro_usd: of.grantDebitMicro,
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
