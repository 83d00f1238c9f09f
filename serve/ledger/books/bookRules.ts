import type { BookProblem, CheckReport } from '../port/books.ts';
import { type RawRow, wholeNumber } from '../rows/columns.ts';
import { statement } from '../steps/statement.ts';
import type { BookRule } from './bookRule.ts';
import { grantRules } from './rules/grantRules.ts';
import { journalRules } from './rules/journalRules.ts';
import { paymentRules } from './rules/paymentRules.ts';
import { receiptRules } from './rules/receiptRules.ts';

/**
 * What `ledger check` proves (I5.33, P7.18). What the tables' own constraints and triggers hold is proved again: a
 * book that was written past them is not taken for one that balances.
 */
export const bookRules: readonly BookRule[] = [
  ...receiptRules,
  ...paymentRules,
  ...grantRules,
  ...journalRules,
];

/** How many rows the check read; columns of the one row are named as the members of the report. */
export const countRows = statement(`SELECT
  (SELECT count(*) FROM receipts) AS receipts, (SELECT count(*) FROM payments) AS payments,
  (SELECT count(*) FROM grants) AS grants, (SELECT count(*) FROM grant_debits) AS debits,
  (SELECT count(*) FROM receipt_events) AS events,
  (SELECT coalesce(sum(charged_micro), 0) FROM receipts WHERE charge_status IN ('settled','queued_for_batch'))
    AS charged_micro`);

/** The report of a check from its counts and its breaches. */
export function checkReport(counts: RawRow, problems: readonly BookProblem[]): CheckReport {
  return {
    receipts: wholeNumber(counts['receipts']),
    payments: wholeNumber(counts['payments']),
    grants: wholeNumber(counts['grants']),
    debits: wholeNumber(counts['debits']),
    events: wholeNumber(counts['events']),
    chargedMicro: wholeNumber(counts['charged_micro']),
    problems,
  };
}

/** The breaches one rule's query found. */
export function problemsOf(rule: BookRule, rows: readonly RawRow[]): BookProblem[] {
  return rows.map((row) => ({
    rule: rule.rule,
    subject: String(row['subject']),
    detail: String(row['detail']),
  }));
}
