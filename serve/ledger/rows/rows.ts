import type { CheckoutRow } from '../port/checkout.ts';
import type { ChallengeRow, DebitRow, GrantEvent, GrantRow, GrantSession } from '../port/grant.ts';
import type { JobRow } from '../port/job.ts';
import type { ApiKeyRecord } from '../port/key.ts';
import type { PaymentRow, WatchEntry } from '../port/payment.ts';
import type { JournalRow, ReceiptRow } from '../port/receipt.ts';
import { type RawRow, rowReader } from './columns.ts';
import {
  challengeTable,
  checkoutTable,
  debitTable,
  grantEventTable,
  grantTable,
  jobTable,
  journalTable,
  keyTable,
  paymentTable,
  receiptTable,
  sessionTable,
  watchTable,
} from './tables.ts';

// database rows of both adapters as the port shows them

export const receiptRow: (row: RawRow) => ReceiptRow = rowReader(receiptTable);
export const paymentRow: (row: RawRow) => PaymentRow = rowReader(paymentTable);
export const journalRow: (row: RawRow) => JournalRow = rowReader(journalTable);
export const grantRow: (row: RawRow) => GrantRow = rowReader(grantTable);
export const grantEventRow: (row: RawRow) => GrantEvent = rowReader(grantEventTable);
export const sessionRow: (row: RawRow) => GrantSession = rowReader(sessionTable);
export const challengeRow: (row: RawRow) => ChallengeRow = rowReader(challengeTable);
export const jobRow: (row: RawRow) => JobRow = rowReader(jobTable);
export const checkoutRow: (row: RawRow) => CheckoutRow = rowReader(checkoutTable);
export const keyRecord: (row: RawRow) => ApiKeyRecord = rowReader(keyTable);
export const watchRow: (row: RawRow) => WatchEntry = rowReader(watchTable);

const debit = rowReader(debitTable);

/** A row of `grant_debits` with the reconciliation key of its receipt. */
export function debitRow(row: RawRow): DebitRow {
  return { ...debit(row), reconciliationKey: String(row['reconciliation_key']) };
}
