import type { BookProblem, CheckReport } from '../port/books.ts';
import { type RawRow, wholeNumber } from '../rows/columns.ts';
import { statusFitsMode, transitionValues } from '../schema/ledgerSchema.ts';
import { firstOf, rowsOf, type Statement, type Steps, statement } from '../steps/steps.ts';

/** A rule of the books and the query for its breaches, `subject` and `detail`. */
type BookRule = { readonly rule: string; readonly breaches: Statement };

/** What a receipt says of itself (P8.25, I3.10, I5.33). */
const receiptRules: readonly BookRule[] = [
  {
    rule: 'reconciliation_key_unique',
    breaches: statement(`SELECT reconciliation_key AS subject, count(*) AS detail FROM receipts
      GROUP BY reconciliation_key HAVING count(*) > 1`),
  },
  {
    rule: 'mode_allows_status',
    breaches:
      statement(`SELECT receipt_id AS subject, settlement_mode || ' ' || charge_status AS detail FROM receipts
      WHERE NOT ${statusFitsMode}`),
  },
  {
    rule: 'charged_equals_quoted',
    breaches:
      statement(`SELECT receipt_id AS subject, charge_status AS detail FROM receipts WHERE charged_micro <>
      CASE WHEN charge_status IN ('settled','queued_for_batch','disputed','refunded') THEN quoted_micro ELSE 0 END`),
  },
  {
    rule: 'refund_within_charge',
    breaches: statement(`SELECT receipt_id AS subject, charge_status AS detail FROM receipts
      WHERE refunded_micro > charged_micro OR (refunded_micro > 0) <> (charge_status = 'refunded')`),
  },
  {
    // the transfer of what was taken, the reason of what was not, the reference of what went back
    rule: 'status_has_its_reference',
    breaches: statement(`SELECT receipt_id AS subject, charge_status AS detail FROM receipts
      WHERE (charge_status IN ('settled','refunded','disputed') AND settlement_mode <> 'gateway_batched'
          AND settlement_tx_hash IS NULL)
        OR (charge_status IN ('queued_for_batch','settled','refunded','disputed')
          AND settlement_mode = 'gateway_batched' AND gateway_transfer_id IS NULL)
        OR (charge_status = 'failed' AND failure_reason IS NULL)
        OR (charge_status = 'refunded' AND refund_reference IS NULL)
        OR (charge_status IN ('settled','refunded','disputed')) <> (settled_ms IS NOT NULL)`),
  },
  {
    // a facilitator may carry several exact transfers in one transaction: those are distinguished on chain (P8.55)
    rule: 'transfer_has_one_receipt',
    breaches: statement(`SELECT gateway_transfer_id AS subject, count(*) AS detail FROM receipts
        WHERE gateway_transfer_id IS NOT NULL GROUP BY gateway_transfer_id HAVING count(*) > 1
      UNION ALL SELECT settlement_tx_hash, count(*) FROM receipts
        WHERE settlement_mode = 'mpp' AND settlement_tx_hash IS NOT NULL
        GROUP BY settlement_tx_hash HAVING count(*) > 1
      UNION ALL SELECT tx_hash, count(*) FROM payments
        WHERE provider = 'mpp' AND tx_hash IS NOT NULL GROUP BY tx_hash HAVING count(*) > 1`),
  },
  {
    // a payment, a grant's debit, a key or the shadow: one of them and no other
    rule: 'receipt_has_one_cause',
    breaches: statement(`SELECT r.receipt_id AS subject, r.settlement_mode AS detail FROM receipts r
      LEFT JOIN payments p ON p.claim_key = r.claim_key AND p.receipt_id = r.receipt_id
      LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id AND d.grant_id = r.grant_id
      LEFT JOIN api_keys k ON k.key_id = r.api_key_id
      WHERE (CASE WHEN p.receipt_id IS NULL THEN 0 ELSE 1 END) + (CASE WHEN d.receipt_id IS NULL THEN 0 ELSE 1 END)
        + (CASE WHEN k.key_id IS NULL THEN 0 ELSE 1 END)
        <> CASE WHEN r.settlement_mode = 'shadow_unsettled' THEN 0 ELSE 1 END`),
  },
  {
    // column payer_identity of I5.46; on MPP it is the credential's own word or nothing
    rule: 'payer_is_the_cause',
    breaches: statement(`SELECT r.receipt_id AS subject, r.settlement_mode AS detail FROM receipts r
      LEFT JOIN payments p ON p.claim_key = r.claim_key
      WHERE r.settlement_mode IN ('x402_direct','gateway_batched','grant_covered','api_key_not_charged')
        AND coalesce(r.payer_identity, '') <> CASE r.settlement_mode WHEN 'grant_covered' THEN 'grant:' || r.grant_id
          WHEN 'api_key_not_charged' THEN 'apikey:' || r.api_key_id ELSE p.network || ':' || p.payer END`),
  },
  {
    rule: 'idempotency_key_has_its_receipt',
    breaches: statement(`SELECT i.receipt_id AS subject, i.holder AS detail FROM idempotency_keys i
      LEFT JOIN receipts r ON r.receipt_id = i.receipt_id
      WHERE r.receipt_id IS NULL`),
  },
];

/** What binds claims, settlement jobs and receipts together (P8.21, P8.28). */
const paymentRules: readonly BookRule[] = [
  {
    rule: 'claim_has_its_receipt',
    breaches: statement(`SELECT p.receipt_id AS subject, p.provider AS detail FROM payments p
      LEFT JOIN receipts r ON r.receipt_id = p.receipt_id AND r.claim_key = p.claim_key
      WHERE r.receipt_id IS NULL`),
  },
  {
    rule: 'payment_matches_receipt',
    breaches: statement(`SELECT r.receipt_id AS subject, p.provider AS detail FROM receipts r
      JOIN payments p ON p.claim_key = r.claim_key
      WHERE p.amount_micro <> r.quoted_micro OR p.fingerprint <> r.fingerprint OR r.settlement_mode <>
        CASE p.provider WHEN 'x402_exact' THEN 'x402_direct' WHEN 'mpp' THEN 'mpp' ELSE 'gateway_batched' END`),
  },
  {
    rule: 'phase_matches_status',
    breaches: statement(`SELECT r.receipt_id AS subject, p.phase AS detail FROM receipts r
      JOIN payments p ON p.claim_key = r.claim_key
      WHERE (r.charge_status IN ('settled','queued_for_batch','refunded','disputed') AND p.phase <> 'accepted')
        OR (r.charge_status = 'failed' AND p.phase <> 'refused')
        OR (r.charge_status IN ('authorized','submitted') AND p.phase IN ('accepted','refused'))`),
  },
  {
    rule: 'job_has_open_or_ended_claim',
    breaches: statement(`SELECT p.receipt_id AS subject, j.state AS detail FROM settlement_jobs j
      JOIN payments p ON p.claim_key = j.claim_key JOIN receipts r ON r.receipt_id = p.receipt_id
      WHERE (j.outcome = 'settled' AND r.charge_status NOT IN ('settled','refunded','disputed'))
        OR (j.outcome = 'refused' AND r.charge_status <> 'failed')`),
  },
];

/** What binds budgets, debits and sessions together (P7.12, P7.18, I3.13). */
const grantRules: readonly BookRule[] = [
  {
    rule: 'debit_has_its_receipt',
    breaches: statement(`SELECT d.debit_id AS subject, d.receipt_id AS detail FROM grant_debits d
      LEFT JOIN receipts r ON r.receipt_id = d.receipt_id AND r.grant_id = d.grant_id AND r.quoted_micro = d.amount_micro
      WHERE r.receipt_id IS NULL`),
  },
  {
    rule: 'receipt_has_one_debit',
    breaches: statement(
      `SELECT receipt_id AS subject, count(*) AS detail FROM grant_debits GROUP BY receipt_id HAVING count(*) > 1`,
    ),
  },
  {
    rule: 'debit_has_its_session',
    breaches: statement(`SELECT d.debit_id AS subject, d.session_id AS detail FROM grant_debits d
      LEFT JOIN grant_sessions s ON s.session_id = d.session_id AND s.grant_id = d.grant_id
      LEFT JOIN grants g ON g.grant_id = s.grant_id
      WHERE g.grant_id IS NULL`),
  },
  {
    rule: 'budget_equals_debits',
    breaches: statement(`SELECT g.grant_id AS subject, 'spent or held' AS detail FROM grants g
      LEFT JOIN grant_debits d ON d.grant_id = g.grant_id
      GROUP BY g.grant_id, g.spent_micro, g.held_micro
      HAVING coalesce(sum(CASE WHEN d.state = 'debited' THEN d.amount_micro ELSE 0 END), 0) <> g.spent_micro
        OR coalesce(sum(CASE WHEN d.state = 'held' THEN d.amount_micro ELSE 0 END), 0) <> g.held_micro`),
  },
  {
    rule: 'grant_not_overspent',
    breaches: statement(
      `SELECT grant_id AS subject, status AS detail FROM grants WHERE spent_micro + held_micro > budget_micro`,
    ),
  },
  {
    // what a card bought and gave back is journalled in words, so such budgets are left to the card's own books
    rule: 'budget_is_journalled',
    breaches: statement(`SELECT g.grant_id AS subject, g.budget_micro AS detail FROM grants g
      JOIN grant_events e ON e.grant_id = g.grant_id GROUP BY g.grant_id, g.budget_micro
      HAVING sum(CASE WHEN e.kind IN ('credit','refund') THEN 1 ELSE 0 END) = 0
        AND sum(CASE WHEN e.kind IN ('created','topup') THEN CAST(e.detail AS bigint) ELSE 0 END) <> g.budget_micro
      UNION ALL SELECT g.grant_id, g.budget_micro FROM grants g
        WHERE NOT EXISTS (SELECT 1 FROM grant_events e WHERE e.grant_id = g.grant_id)`),
  },
  {
    rule: 'exhausted_by_its_remainder',
    breaches:
      statement(`SELECT grant_id AS subject, status AS detail FROM grants WHERE status IN ('active','exhausted')
      AND (status = 'exhausted') <> (budget_micro - spent_micro < min_price_micro)`),
  },
  {
    // a grant starts as active or exhausted; every step after that is journalled as `from>to`
    rule: 'grant_journal_ends_at_status',
    breaches: statement(`SELECT g.grant_id AS subject, g.status AS detail FROM grants g
      LEFT JOIN (SELECT grant_id, max(event_id) AS newest FROM grant_events WHERE kind = 'status' GROUP BY grant_id) l
        ON l.grant_id = g.grant_id
      LEFT JOIN grant_events e ON e.event_id = l.newest
      WHERE (e.detail IS NULL AND g.status NOT IN ('active','exhausted')) OR e.detail NOT LIKE '%>' || g.status`),
  },
];

/** What the append-only journal proves of the receipts (I3.2, I3.5, P8.26). */
const journalRules: readonly BookRule[] = [
  {
    // compared with the contract, not with the rows beside it: a table that was widened by hand proves nothing
    rule: 'transitions_as_specified',
    breaches: statement(`WITH lawful (from_status, to_status, actor_class) AS (VALUES ${transitionValues})
      SELECT from_status || '>' || to_status AS subject, actor_class AS detail FROM
        (SELECT * FROM receipt_transitions EXCEPT SELECT * FROM lawful) added
      UNION ALL SELECT from_status || '>' || to_status, actor_class FROM
        (SELECT * FROM lawful EXCEPT SELECT * FROM receipt_transitions) missing`),
  },
  {
    rule: 'journal_row_has_its_receipt',
    breaches: statement(`SELECT e.receipt_id AS subject, e.to_status AS detail FROM receipt_events e
      LEFT JOIN receipts r ON r.receipt_id = e.receipt_id WHERE r.receipt_id IS NULL`),
  },
  {
    // the step may have been made by any actor class that is listed; a hand-over mark keeps the state
    rule: 'journal_step_legal',
    breaches:
      statement(`SELECT e.receipt_id AS subject, e.from_status || '>' || e.to_status AS detail FROM receipt_events e
      LEFT JOIN receipt_transitions t ON t.from_status = e.from_status AND t.to_status = e.to_status
        AND (e.actor = t.actor_class OR e.actor LIKE t.actor_class || ':%')
      WHERE t.from_status IS NULL AND NOT (e.from_status = e.to_status AND e.reason = 'handoff')`),
  },
  {
    rule: 'journal_is_a_chain',
    breaches: statement(`SELECT receipt_id AS subject, from_status AS detail FROM (
        SELECT receipt_id, from_status,
          lag(to_status, 1, '') OVER (PARTITION BY receipt_id ORDER BY event_id) AS before
        FROM receipt_events) steps
      WHERE from_status <> before`),
  },
  {
    // in state and in time (I3.5)
    rule: 'journal_ends_at_status',
    breaches: statement(`SELECT r.receipt_id AS subject, r.charge_status AS detail FROM receipts r
      LEFT JOIN (SELECT receipt_id, max(event_id) AS newest FROM receipt_events GROUP BY receipt_id) l
        ON l.receipt_id = r.receipt_id
      LEFT JOIN receipt_events e ON e.event_id = l.newest
      WHERE e.to_status IS NULL OR e.to_status <> r.charge_status OR e.at_ms <> r.updated_ms`),
  },
  {
    // I3.6: the mark was durable before the hand-over call left
    rule: 'handoff_is_journalled',
    breaches: statement(`SELECT r.receipt_id AS subject, r.charge_status AS detail FROM receipts r
      LEFT JOIN (SELECT receipt_id, count(*) AS marks, max(at_ms) AS at_ms FROM receipt_events
          WHERE reason = 'handoff' AND from_status = to_status GROUP BY receipt_id) m ON m.receipt_id = r.receipt_id
      WHERE coalesce(m.marks, 0) <> CASE WHEN r.handoff_ms IS NULL THEN 0 ELSE 1 END OR m.at_ms <> r.handoff_ms
        OR (r.handoff_ms IS NOT NULL AND r.settlement_mode <> 'gateway_batched')`),
  },
  {
    rule: 'settled_once_per_claim',
    breaches: statement(`SELECT e.receipt_id AS subject, count(*) AS detail FROM receipt_events e
      WHERE e.to_status = 'settled' AND e.from_status IN ('submitted','queued_for_batch')
      GROUP BY e.receipt_id HAVING count(*) > 1`),
  },
];

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
const countRows = statement(`SELECT
  (SELECT count(*) FROM receipts) AS receipts, (SELECT count(*) FROM payments) AS payments,
  (SELECT count(*) FROM grants) AS grants, (SELECT count(*) FROM grant_debits) AS debits,
  (SELECT count(*) FROM receipt_events) AS events,
  (SELECT coalesce(sum(charged_micro), 0) FROM receipts WHERE charge_status IN ('settled','queued_for_batch'))
    AS charged_micro`);

/** The breaches one rule's query found. */
export function problemsOf(rule: BookRule, rows: readonly RawRow[]): BookProblem[] {
  return rows.map((row) => ({
    rule: rule.rule,
    subject: String(row['subject']),
    detail: String(row['detail']),
  }));
}

/** Checks every rule of the books (I5.33) beside what the adapter found of its schema; run in one snapshot. */
export function* booksCheck(schemaProblems: readonly BookProblem[]): Steps<CheckReport> {
  const problems: BookProblem[] = [];
  for (const rule of bookRules) problems.push(...problemsOf(rule, yield* rowsOf(rule.breaches)));
  const counts = (yield* firstOf(countRows)) ?? {};
  return {
    receipts: wholeNumber(counts['receipts']),
    payments: wholeNumber(counts['payments']),
    grants: wholeNumber(counts['grants']),
    debits: wholeNumber(counts['debits']),
    events: wholeNumber(counts['events']),
    chargedMicro: wholeNumber(counts['charged_micro']),
    problems: [...problems, ...schemaProblems],
  };
}
