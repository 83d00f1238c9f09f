import type { DayQueryName } from '../books/dayQueries.ts';
import type { CheckoutState, WebhookResult } from '../port/checkout.ts';
import type { KeyChange, LedgerDay, Listed, ReceiptSums, ReviewReceipt } from '../port/day.ts';
import type { LedgerFigures } from '../port/figures.ts';
import type { Provider } from '../port/payment.ts';
import type { ChargeStatus, SettlementMode } from '../port/receipt.ts';
import { type RawRow, wholeNumber } from './columns.ts';

/** Puts the day together from the rows of its queries. */
export function dayOf(
  raw: Readonly<Record<DayQueryName, readonly RawRow[]>>,
  figures: LedgerFigures,
): LedgerDay {
  return {
    figures,
    receipts: raw.receipts.map((row) => ({
      mode: row['settlement_mode'] as SettlementMode,
      status: row['charge_status'] as ChargeStatus,
      ...sums(row),
    })),
    routes: raw.routes.map((row) => ({
      routeId: String(row['route_id']),
      routeUri: String(row['route_uri']),
      ...sums(row),
    })),
    stuck: counted(raw.stuck),
    pastReplay: counted(raw.pastReplay),
    overdue: listed(raw.overdue, (row) => ({
      receiptId: String(row['receipt_id']),
      mode: row['settlement_mode'] as SettlementMode,
      chargedMicro: wholeNumber(row['charged_micro']),
      routeUri: String(row['route_uri']),
      payerIdentity: textOrNull(row['payer_identity']),
      createdMs: wholeNumber(row['created_ms']),
    })),
    review: listed(raw.review, (row) => ({
      receiptId: String(row['receipt_id']),
      why: row['why'] as ReviewReceipt['why'],
      chargedMicro: wholeNumber(row['charged_micro']),
      updatedMs: wholeNumber(row['updated_ms']),
    })),
    queued: listed(raw.queued, (row) => ({
      payerIdentity: textOrNull(row['payer_identity']),
      count: wholeNumber(row['n']),
      micro: wholeNumber(row['micro']),
      oldestMs: wholeNumber(row['oldest']),
    })),
    watched: listed(raw.watched, (row) => ({
      payer: String(row['payer']),
      provider: row['provider'] as Provider,
      reason: String(row['reason']),
      receiptId: textOrNull(row['receipt_id']),
      addedMs: wholeNumber(row['added_ms']),
      cleared: row['cleared_ms'] !== null,
    })),
    checkouts: raw.checkouts.map((row) => ({
      state: row['state'] as CheckoutState,
      count: wholeNumber(row['n']),
      creditMicro: wholeNumber(row['credit']),
    })),
    webhooks: raw.webhooks.map((row) => ({
      result: row['result'] as WebhookResult,
      count: wholeNumber(row['n']),
    })),
    corrections: listed(raw.corrections, (row) => ({
      receiptId: String(row['receipt_id']),
      from: row['from_status'] as ChargeStatus,
      to: row['to_status'] as ChargeStatus,
      actor: String(row['actor']),
      reason: String(row['reason']),
      externalRef: textOrNull(row['external_ref']),
      chargedMicro: wholeNumber(row['charged_micro']),
      refundedMicro: wholeNumber(row['refunded_micro']),
      atMs: wholeNumber(row['at_ms']),
    })),
    keys: raw.keys.map((row) => ({
      keyId: String(row['key_id']),
      label: String(row['label']),
      what: row['what'] as KeyChange['what'],
      by: textOrNull(row['who']),
      atMs: wholeNumber(row['at_ms']),
    })),
  };
}

function sums(row: RawRow): ReceiptSums {
  return {
    count: wholeNumber(row['n']),
    quotedMicro: wholeNumber(row['quoted']),
    chargedMicro: wholeNumber(row['charged']),
    refundedMicro: wholeNumber(row['refunded']),
    grantDebitMicro: wholeNumber(row['debited']),
  };
}

function counted(rows: readonly RawRow[]): { count: number; micro: number } {
  return { count: wholeNumber(rows[0]?.['n'] ?? 0), micro: wholeNumber(rows[0]?.['micro'] ?? 0) };
}

function listed<T>(rows: readonly RawRow[], read: (row: RawRow) => T): Listed<T> {
  return { total: wholeNumber(rows[0]?.['total'] ?? 0), rows: rows.map(read) };
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}
