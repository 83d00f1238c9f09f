import type { BookProblem, CheckReport } from './port/books.ts';
import { type RawRow, wholeNumber } from './rows.ts';

// what `ledger check` proves (I5.33, P7.18): each rule is one query, understood by both databases, whose rows are
// the places where the rule is broken

/** A rule and the query for its breaches, with columns `subject` and `detail`. */
export type BookRule = { readonly rule: string; readonly sql: string };

export const bookRules: readonly BookRule[] = [
  {
    rule: 'reconciliation_key_unique',
    sql: `SELECT reconciliation_key AS subject, count(*) AS detail FROM receipts
      GROUP BY reconciliation_key HAVING count(*) > 1`,
  },
  {
    rule: 'charged_equals_quoted',
    sql: `SELECT receipt_id AS subject, charge_status AS detail FROM receipts WHERE charged_micro <>
      CASE WHEN charge_status IN ('settled','queued_for_batch','disputed','refunded') THEN quoted_micro ELSE 0 END`,
  },
  {
    rule: 'refund_within_charge',
    sql: `SELECT receipt_id AS subject, charge_status AS detail FROM receipts
      WHERE refunded_micro > charged_micro OR (refunded_micro > 0) <> (charge_status = 'refunded')`,
  },
  {
    // a payment, a grant's debit, a key or the shadow: one of them and no other
    rule: 'receipt_has_one_cause',
    sql: `SELECT r.receipt_id AS subject, r.settlement_mode AS detail FROM receipts r
      LEFT JOIN payments p ON p.claim_key = r.claim_key AND p.receipt_id = r.receipt_id
      LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id AND d.grant_id = r.grant_id
      LEFT JOIN api_keys k ON k.key_id = r.api_key_id
      WHERE (CASE WHEN p.receipt_id IS NULL THEN 0 ELSE 1 END) + (CASE WHEN d.receipt_id IS NULL THEN 0 ELSE 1 END)
        + (CASE WHEN k.key_id IS NULL THEN 0 ELSE 1 END)
        <> CASE WHEN r.settlement_mode = 'shadow_unsettled' THEN 0 ELSE 1 END`,
  },
  {
    rule: 'claim_has_its_receipt',
    sql: `SELECT p.receipt_id AS subject, p.provider AS detail FROM payments p
      LEFT JOIN receipts r ON r.receipt_id = p.receipt_id AND r.claim_key = p.claim_key
      WHERE r.receipt_id IS NULL`,
  },
  {
    rule: 'payment_matches_receipt',
    sql: `SELECT r.receipt_id AS subject, p.provider AS detail FROM receipts r
      JOIN payments p ON p.claim_key = r.claim_key
      WHERE p.amount_micro <> r.quoted_micro OR p.fingerprint <> r.fingerprint OR r.settlement_mode <>
        CASE p.provider WHEN 'x402_exact' THEN 'x402_direct' WHEN 'mpp' THEN 'mpp' ELSE 'gateway_batched' END`,
  },
  {
    rule: 'phase_matches_status',
    sql: `SELECT r.receipt_id AS subject, p.phase AS detail FROM receipts r
      JOIN payments p ON p.claim_key = r.claim_key
      WHERE (r.charge_status IN ('settled','queued_for_batch','refunded','disputed') AND p.phase <> 'accepted')
        OR (r.charge_status = 'failed' AND p.phase <> 'refused')
        OR (r.charge_status IN ('authorized','submitted') AND p.phase IN ('accepted','refused'))`,
  },
  {
    rule: 'debit_has_its_receipt',
    sql: `SELECT d.debit_id AS subject, d.receipt_id AS detail FROM grant_debits d
      LEFT JOIN receipts r ON r.receipt_id = d.receipt_id AND r.grant_id = d.grant_id AND r.quoted_micro = d.amount_micro
      WHERE r.receipt_id IS NULL`,
  },
  {
    rule: 'budget_equals_debits',
    sql: `SELECT g.grant_id AS subject, 'spent or held' AS detail FROM grants g
      LEFT JOIN grant_debits d ON d.grant_id = g.grant_id
      GROUP BY g.grant_id, g.spent_micro, g.held_micro
      HAVING coalesce(sum(CASE WHEN d.state = 'debited' THEN d.amount_micro ELSE 0 END), 0) <> g.spent_micro
        OR coalesce(sum(CASE WHEN d.state = 'held' THEN d.amount_micro ELSE 0 END), 0) <> g.held_micro`,
  },
  {
    rule: 'grant_not_overspent',
    sql: `SELECT grant_id AS subject, status AS detail FROM grants WHERE spent_micro + held_micro > budget_micro`,
  },
  {
    // the step may have been made by any actor class the table lists; a hand-over mark keeps the state
    rule: 'journal_step_legal',
    sql: `SELECT e.receipt_id AS subject, e.from_status || '>' || e.to_status AS detail FROM receipt_events e
      LEFT JOIN receipt_transitions t ON t.from_status = e.from_status AND t.to_status = e.to_status
        AND (e.actor = t.actor_class OR e.actor LIKE t.actor_class || ':%')
      WHERE t.from_status IS NULL AND NOT (e.from_status = e.to_status AND e.reason = 'handoff')`,
  },
  {
    rule: 'journal_is_a_chain',
    sql: `SELECT receipt_id AS subject, from_status AS detail FROM (
        SELECT receipt_id, from_status,
          lag(to_status, 1, '') OVER (PARTITION BY receipt_id ORDER BY event_id) AS before
        FROM receipt_events) steps
      WHERE from_status <> before`,
  },
  {
    rule: 'journal_ends_at_status',
    sql: `SELECT r.receipt_id AS subject, r.charge_status AS detail FROM receipts r
      LEFT JOIN (SELECT receipt_id, max(event_id) AS newest FROM receipt_events GROUP BY receipt_id) l
        ON l.receipt_id = r.receipt_id
      LEFT JOIN receipt_events e ON e.event_id = l.newest
      WHERE e.to_status IS NULL OR e.to_status <> r.charge_status`,
  },
  {
    rule: 'settled_once_per_claim',
    sql: `SELECT e.receipt_id AS subject, count(*) AS detail FROM receipt_events e
      WHERE e.to_status = 'settled' AND e.from_status IN ('submitted','queued_for_batch')
      GROUP BY e.receipt_id HAVING count(*) > 1`,
  },
  {
    rule: 'job_has_open_or_ended_claim',
    sql: `SELECT p.receipt_id AS subject, j.state AS detail FROM settlement_jobs j
      JOIN payments p ON p.claim_key = j.claim_key JOIN receipts r ON r.receipt_id = p.receipt_id
      WHERE (j.outcome = 'settled' AND r.charge_status NOT IN ('settled','refunded','disputed'))
        OR (j.outcome = 'refused' AND r.charge_status <> 'failed')`,
  },
];

/** How many rows the check looked at; columns of the one row are named as the members of the report. */
export const countsSql = `SELECT
  (SELECT count(*) FROM receipts) AS receipts, (SELECT count(*) FROM payments) AS payments,
  (SELECT count(*) FROM grants) AS grants, (SELECT count(*) FROM grant_debits) AS debits,
  (SELECT count(*) FROM receipt_events) AS events,
  (SELECT coalesce(sum(charged_micro), 0) FROM receipts WHERE charge_status IN ('settled','queued_for_batch'))
    AS charged_micro`;

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
