import { transitionValues } from '../../schema/transitionTable.ts';
import { statement } from '../../steps/statement.ts';
import type { BookRule } from '../bookRule.ts';

/** What the append-only journal proves of the receipts (I3.2, I3.5, P8.26). */
export const journalRules: readonly BookRule[] = [
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
