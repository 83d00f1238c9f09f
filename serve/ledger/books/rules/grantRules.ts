import { statement } from '../../steps/statement.ts';
import type { BookRule } from '../bookRule.ts';

/** What binds budgets, debits and sessions together (P7.12, P7.18, I3.13). */
export const grantRules: readonly BookRule[] = [
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
