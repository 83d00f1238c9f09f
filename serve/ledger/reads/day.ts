import {
  type DayInput,
  dayTables,
  figureWindows,
  type LedgerDay,
  type Listed,
  shownRows,
} from '../port/day.ts';
import { type Columns, type RowOf, rowReader, wholeNumber } from '../rows/columns.ts';
import { rowsBy, rowsOf, type Statement, type Steps, statement } from '../steps/steps.ts';
import { countedBy, figures } from './figures.ts';

const hourMs = 3_600_000;

/** The statements of `LedgerDay` beside the figures; a list says in each row how long it is in whole. */
const dayStatements = {
  receipts:
    statement(`SELECT r.settlement_mode, r.charge_status, count(*) AS count, sum(r.quoted_micro) AS quoted_micro,
      sum(r.charged_micro) AS charged_micro, sum(r.refunded_micro) AS refunded_micro,
      sum(CASE WHEN d.state = 'debited' THEN d.amount_micro ELSE 0 END) AS grant_debit_micro
    FROM receipts r LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id
    WHERE r.created_ms >= $1 AND r.created_ms < $2
    GROUP BY r.settlement_mode, r.charge_status ORDER BY r.settlement_mode, r.charge_status`),
  routes: statement(`SELECT r.route_id, r.route_uri, count(*) AS count, sum(r.quoted_micro) AS quoted_micro,
      sum(r.charged_micro) AS charged_micro, sum(r.refunded_micro) AS refunded_micro,
      sum(CASE WHEN d.state = 'debited' THEN d.amount_micro ELSE 0 END) AS grant_debit_micro
    FROM receipts r LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id
    WHERE r.created_ms >= $1 AND r.created_ms < $2
    GROUP BY r.route_id, r.route_uri ORDER BY r.route_id, r.route_uri`),
  stuck: statement(`SELECT count(*) AS count, coalesce(sum(quoted_micro), 0) AS micro FROM receipts
    WHERE charge_status IN ('authorized','submitted') AND created_ms <= $1`),
  // the first two conditions repeat the partial index's predicate so that the planner uses it
  overdue:
    statement(`SELECT receipt_id, settlement_mode, charged_micro, route_uri, payer_identity, created_ms,
      count(*) OVER () AS total
    FROM receipts WHERE delivery_status IN ('pending','undelivered') AND delivery_status = 'undelivered'
      AND charge_status IN ('authorized','submitted','queued_for_batch','settled')
      AND charge_status IN ('queued_for_batch','settled') AND created_ms >= $1 AND created_ms <= $2
    ORDER BY created_ms, receipt_id LIMIT $3`),
  pastReplay: statement(`SELECT count(*) AS count, coalesce(sum(charged_micro), 0) AS micro FROM receipts
    WHERE delivery_status IN ('pending','undelivered') AND delivery_status = 'undelivered'
      AND charge_status IN ('authorized','submitted','queued_for_batch','settled')
      AND charge_status IN ('queued_for_batch','settled') AND created_ms < $1`),
  review: statement(`SELECT receipt_id, why, charged_micro, updated_ms, count(*) OVER () AS total FROM (
      SELECT r.receipt_id, 'chain_reorg' AS why, r.charged_micro, r.updated_ms FROM payments p
        JOIN receipts r ON r.receipt_id = p.receipt_id
        WHERE p.finality = 'reorged' AND r.charge_status = 'settled'
      UNION ALL SELECT receipt_id, 'disputed', charged_micro, updated_ms FROM receipts
        WHERE charge_status = 'disputed') undecided
    ORDER BY updated_ms, receipt_id LIMIT $1`),
  queued:
    statement(`SELECT payer_identity, count(*) AS count, sum(charged_micro) AS micro, min(created_ms) AS oldest_ms,
      count(*) OVER () AS total
    FROM receipts WHERE charge_status = 'queued_for_batch'
    GROUP BY payer_identity ORDER BY sum(charged_micro) DESC, payer_identity LIMIT $1`),
  watched:
    statement(`SELECT payer, provider, reason, receipt_id, added_ms, cleared_ms AS cleared, count(*) OVER () AS total
    FROM payer_watchlist WHERE added_ms >= $1 AND added_ms < $2 ORDER BY added_ms, payer LIMIT $3`),
  checkouts:
    statement(`SELECT state, count(*) AS count, sum(credit_micro) AS credit_micro FROM checkout_sessions
    WHERE updated_ms >= $1 AND updated_ms < $2 GROUP BY state ORDER BY state`),
  webhooks:
    statement(`SELECT result, count(*) AS count FROM webhook_events WHERE received_ms >= $1 AND received_ms < $2
    GROUP BY result ORDER BY result`),
  corrections:
    statement(`SELECT e.receipt_id, e.from_status, e.to_status, e.actor, e.reason, e.external_ref, e.at_ms,
      r.charged_micro, CASE e.to_status WHEN 'refunded' THEN r.refunded_micro ELSE 0 END AS refunded_micro,
      count(*) OVER () AS total
    FROM receipt_events e JOIN receipts r ON r.receipt_id = e.receipt_id
    WHERE e.at_ms >= $1 AND e.at_ms < $2
      AND (e.to_status IN ('refunded','disputed') OR e.from_status = 'disputed')
    ORDER BY e.at_ms, e.event_id LIMIT $3`),
  keys: statement(`SELECT what, key_id, label, who, at_ms FROM (
      SELECT 'created' AS what, key_id, label, created_by AS who, created_ms AS at_ms FROM api_keys
        WHERE created_ms >= $1 AND created_ms < $2
      UNION ALL SELECT 'revoked', key_id, label, revoked_by, revoked_ms FROM api_keys
        WHERE revoked_ms >= $1 AND revoked_ms < $2
      UNION ALL SELECT 'expiring', key_id, label, created_by, expires_ms FROM api_keys
        WHERE revoked_ms IS NULL AND expires_ms > $3 AND expires_ms <= $4) changes
    ORDER BY at_ms, key_id, what`),
} as const;

/** A day of the books for the operator's report; run in one snapshot. */
export function* day({ fromMs, toMs, nowMs }: DayInput): Steps<LedgerDay> {
  const { weekMs, dayAgoMs, soonMs } = figureWindows(nowMs);
  const asked = dayStatements;
  const shown = dayTables;
  return {
    receipts: yield* rowsBy(shown.receipts, asked.receipts, fromMs, toMs),
    routes: yield* rowsBy(shown.routes, asked.routes, fromMs, toMs),
    stuck: yield* countedBy(asked.stuck, nowMs - hourMs),
    overdue: yield* listed(shown.overdue, asked.overdue, weekMs, dayAgoMs, shownRows),
    pastReplay: yield* countedBy(asked.pastReplay, weekMs),
    review: yield* listed(shown.review, asked.review, shownRows),
    queued: yield* listed(shown.queued, asked.queued, shownRows),
    watched: yield* listed(shown.watched, asked.watched, fromMs, toMs, shownRows),
    checkouts: yield* rowsBy(shown.checkouts, asked.checkouts, fromMs, toMs),
    webhooks: yield* rowsBy(shown.webhooks, asked.webhooks, fromMs, toMs),
    corrections: yield* listed(shown.corrections, asked.corrections, fromMs, toMs, shownRows),
    keys: yield* rowsBy(shown.keys, asked.keys, fromMs, toMs, nowMs, soonMs),
    figures: yield* figures(nowMs),
  };
}

function* listed<C extends Columns>(columns: C, of: Statement, ...values: number[]): Steps<Listed<RowOf<C>>> {
  const rows = yield* rowsOf(of, ...values);
  return { total: wholeNumber(rows[0]?.['total'] ?? 0), rows: rows.map(rowReader(columns)) };
}
