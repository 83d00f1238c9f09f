import type { CheckoutState, WebhookResult } from '../port/checkout.ts';
import {
  type DayInput,
  figureWindows,
  type KeyChange,
  type LedgerDay,
  type LedgerFigures,
  type Listed,
  type ReceiptSums,
  type ReviewReceipt,
  shownRows,
} from '../port/day.ts';
import type { Provider } from '../port/payment.ts';
import type { ChargeStatus, SettlementMode } from '../port/receipt.ts';
import { type RawRow, wholeNumber } from '../rows/columns.ts';
import { rowsOf, type Statement, type Steps, statement } from '../steps/steps.ts';
import { figures } from './figures.ts';

/** A query of the day and the values of its parameters. */
type DayQuery = { readonly text: Statement; args(asked: DayInput): readonly number[] };

const hourMs = 3_600_000;
const ofTheDay = ({ fromMs, toMs }: DayInput) => [fromMs, toMs];
const limited = (dayInput: DayInput) => [...ofTheDay(dayInput), shownRows];

/** The queries of `LedgerDay` beside the figures; a list says in each row how long it is in whole. */
const dayQueries = {
  receipts: {
    args: ofTheDay,
    text: statement(`SELECT r.settlement_mode, r.charge_status, count(*) AS n, sum(r.quoted_micro) AS quoted,
        sum(r.charged_micro) AS charged, sum(r.refunded_micro) AS refunded,
        sum(CASE WHEN d.state = 'debited' THEN d.amount_micro ELSE 0 END) AS debited
      FROM receipts r LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id
      WHERE r.created_ms >= $1 AND r.created_ms < $2
      GROUP BY r.settlement_mode, r.charge_status ORDER BY r.settlement_mode, r.charge_status`),
  },
  routes: {
    args: ofTheDay,
    text: statement(`SELECT r.route_id, r.route_uri, count(*) AS n, sum(r.quoted_micro) AS quoted,
        sum(r.charged_micro) AS charged, sum(r.refunded_micro) AS refunded,
        sum(CASE WHEN d.state = 'debited' THEN d.amount_micro ELSE 0 END) AS debited
      FROM receipts r LEFT JOIN grant_debits d ON d.receipt_id = r.receipt_id
      WHERE r.created_ms >= $1 AND r.created_ms < $2
      GROUP BY r.route_id, r.route_uri ORDER BY r.route_id, r.route_uri`),
  },
  stuck: {
    args: ({ nowMs }) => [nowMs - hourMs],
    text: statement(`SELECT count(*) AS n, coalesce(sum(quoted_micro), 0) AS micro FROM receipts
      WHERE charge_status IN ('authorized','submitted') AND created_ms <= $1`),
  },
  // the first two conditions repeat the partial index's predicate so that the planner uses it
  overdue: {
    args: ({ nowMs }) => [figureWindows(nowMs).weekMs, figureWindows(nowMs).dayAgoMs, shownRows],
    text: statement(`SELECT receipt_id, settlement_mode, charged_micro, route_uri, payer_identity, created_ms,
        count(*) OVER () AS total
      FROM receipts WHERE delivery_status IN ('pending','undelivered') AND delivery_status = 'undelivered'
        AND charge_status IN ('authorized','submitted','queued_for_batch','settled')
        AND charge_status IN ('queued_for_batch','settled') AND created_ms >= $1 AND created_ms <= $2
      ORDER BY created_ms, receipt_id LIMIT $3`),
  },
  pastReplay: {
    args: ({ nowMs }) => [figureWindows(nowMs).weekMs],
    text: statement(`SELECT count(*) AS n, coalesce(sum(charged_micro), 0) AS micro FROM receipts
      WHERE delivery_status IN ('pending','undelivered') AND delivery_status = 'undelivered'
        AND charge_status IN ('authorized','submitted','queued_for_batch','settled')
        AND charge_status IN ('queued_for_batch','settled') AND created_ms < $1`),
  },
  review: {
    args: () => [shownRows],
    text: statement(`SELECT receipt_id, why, charged_micro, updated_ms, count(*) OVER () AS total FROM (
        SELECT r.receipt_id, 'chain_reorg' AS why, r.charged_micro, r.updated_ms FROM payments p
          JOIN receipts r ON r.receipt_id = p.receipt_id
          WHERE p.finality = 'reorged' AND r.charge_status = 'settled'
        UNION ALL SELECT receipt_id, 'disputed', charged_micro, updated_ms FROM receipts
          WHERE charge_status = 'disputed') undecided
      ORDER BY updated_ms, receipt_id LIMIT $1`),
  },
  queued: {
    args: () => [shownRows],
    text: statement(`SELECT payer_identity, count(*) AS n, sum(charged_micro) AS micro, min(created_ms) AS oldest,
        count(*) OVER () AS total
      FROM receipts WHERE charge_status = 'queued_for_batch'
      GROUP BY payer_identity ORDER BY sum(charged_micro) DESC, payer_identity LIMIT $1`),
  },
  watched: {
    args: limited,
    text: statement(`SELECT payer, provider, reason, receipt_id, added_ms, cleared_ms, count(*) OVER () AS total
      FROM payer_watchlist WHERE added_ms >= $1 AND added_ms < $2 ORDER BY added_ms, payer LIMIT $3`),
  },
  checkouts: {
    args: ofTheDay,
    text: statement(`SELECT state, count(*) AS n, sum(credit_micro) AS credit FROM checkout_sessions
      WHERE updated_ms >= $1 AND updated_ms < $2 GROUP BY state ORDER BY state`),
  },
  webhooks: {
    args: ofTheDay,
    text: statement(`SELECT result, count(*) AS n FROM webhook_events WHERE received_ms >= $1 AND received_ms < $2
      GROUP BY result ORDER BY result`),
  },
  corrections: {
    args: limited,
    text: statement(`SELECT e.receipt_id, e.from_status, e.to_status, e.actor, e.reason, e.external_ref, e.at_ms,
        r.charged_micro, CASE e.to_status WHEN 'refunded' THEN r.refunded_micro ELSE 0 END AS refunded_micro,
        count(*) OVER () AS total
      FROM receipt_events e JOIN receipts r ON r.receipt_id = e.receipt_id
      WHERE e.at_ms >= $1 AND e.at_ms < $2
        AND (e.to_status IN ('refunded','disputed') OR e.from_status = 'disputed')
      ORDER BY e.at_ms, e.event_id LIMIT $3`),
  },
  keys: {
    args: (input) => [...ofTheDay(input), input.nowMs, figureWindows(input.nowMs).soonMs],
    text: statement(`SELECT what, key_id, label, who, at_ms FROM (
        SELECT 'created' AS what, key_id, label, created_by AS who, created_ms AS at_ms FROM api_keys
          WHERE created_ms >= $1 AND created_ms < $2
        UNION ALL SELECT 'revoked', key_id, label, revoked_by, revoked_ms FROM api_keys
          WHERE revoked_ms >= $1 AND revoked_ms < $2
        UNION ALL SELECT 'expiring', key_id, label, created_by, expires_ms FROM api_keys
          WHERE revoked_ms IS NULL AND expires_ms > $3 AND expires_ms <= $4) changes
      ORDER BY at_ms, key_id, what`),
  },
} as const satisfies Readonly<Record<string, DayQuery>>;

/** The name of a query of the day. */
type DayQueryName = keyof typeof dayQueries;

/** A day of the books for the operator's report; run in one snapshot. */
export function* day(asked: DayInput): Steps<LedgerDay> {
  const rows = {} as Record<DayQueryName, readonly RawRow[]>;
  for (const name of Object.keys(dayQueries) as DayQueryName[]) {
    const { text, args } = dayQueries[name];
    rows[name] = yield* rowsOf(text, ...args(asked));
  }
  return dayOf(rows, yield* figures(asked.nowMs));
}

/** Puts the day together from the rows of its queries. */
function dayOf(raw: Readonly<Record<DayQueryName, readonly RawRow[]>>, figures: LedgerFigures): LedgerDay {
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
