import { hex, integer, optional, type RowOf, text } from '../rows/columns.ts';
import type { GrantProgram } from './grant.ts';
import { paymentTable } from './payment.ts';
import { receiptTable } from './receipt.ts';

// what leaves the ledger for book-keeping, and the proof that the books are right (PAYMENTS 8.H)

/** A receipt with what the export states of its payment, grant and debit (P8.60). */
export const exportTable = {
  ...receiptTable,
  authorizationHash: optional(hex('claim_key')),
  provider: optional(paymentTable.provider),
  network: optional(paymentTable.network),
  domainContract: optional(paymentTable.domainContract),
  grantProgram: optional(text<GrantProgram>('grant_program')),
  grantDebitMicro: integer('grant_debit_micro'),
} as const;

/** One row of the reconciliation export in ledger types (I5.32). */
export type ExportRow = RowOf<typeof exportTable>;

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
