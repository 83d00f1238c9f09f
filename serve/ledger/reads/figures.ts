import {
  type EndingBudget,
  figureWindows,
  type LedgerFigures,
  type OpenPayment,
  type ReceiptFigure,
  shownRows,
} from '../port/day.ts';
import type { GrantProgram, GrantStatus } from '../port/grant.ts';
import type { PaymentPhase, Provider } from '../port/payment.ts';
import type { ChargeStatus, SettlementMode } from '../port/receipt.ts';
import { type RawRow, wholeNumber } from '../rows/columns.ts';
import { firstOf, rowsOf, type Steps, statement } from '../steps/steps.ts';

/** The statements of the operations page; each may read a week of receipts. */
const figureStatements = {
  receipts:
    statement(`SELECT settlement_mode, charge_status, count(*) AS week, sum(charged_micro) AS week_micro,
      sum(CASE WHEN created_ms >= $1 THEN 1 ELSE 0 END) AS today,
      sum(CASE WHEN created_ms >= $1 THEN charged_micro ELSE 0 END) AS today_micro
    FROM receipts WHERE created_ms >= $2
    GROUP BY settlement_mode, charge_status ORDER BY settlement_mode, charge_status`),
  unresolved: statement(`SELECT count(*) AS n FROM receipts
    WHERE charge_status IN ('authorized','submitted')`),
  openPayments:
    statement(`SELECT p.receipt_id, p.provider, p.phase, p.amount_micro, p.refusal, p.checks, p.created_ms
    FROM receipts r JOIN payments p ON p.claim_key = r.claim_key
    WHERE r.charge_status IN ('authorized','submitted') ORDER BY r.updated_ms, r.receipt_id LIMIT $1`),
  queued: statement(`SELECT count(*) AS n, sum(charged_micro) AS micro FROM receipts
    WHERE charge_status = 'queued_for_batch'`),
  // conditions that say less than the next one repeat the partial index's predicate, so that the planner uses it
  undelivered: statement(`SELECT count(*) AS n, sum(charged_micro) AS micro,
      sum(CASE WHEN created_ms <= $2 THEN 1 ELSE 0 END) AS overdue
    FROM receipts WHERE delivery_status IN ('pending','undelivered') AND delivery_status = 'undelivered'
      AND charge_status IN ('authorized','submitted','queued_for_batch','settled')
      AND charge_status IN ('queued_for_batch','settled') AND created_ms >= $1`),
  // ended jobs stay in the table for good; its tail is enough to see what died
  jobs: statement(`SELECT state, count(*) AS n, CASE WHEN state = 'dead' THEN NULL ELSE min(created_ms) END AS oldest
    FROM settlement_jobs WHERE state IN ('queued','leased','sent')
      OR (state = 'dead' AND job_id > (SELECT max(job_id) FROM settlement_jobs) - 100000)
    GROUP BY state ORDER BY state`),
  endingBudgets: statement(`SELECT grant_id, program, status, account_id, budget_micro, expires_ms,
      budget_micro - spent_micro - held_micro AS remaining
    FROM grants WHERE status IN ('active','exhausted') AND expires_ms > $1
      AND ((budget_micro - spent_micro - held_micro) * 10 < budget_micro OR expires_ms <= $2)
    ORDER BY remaining, expires_ms, grant_id LIMIT $3`),
} as const;

/** The figures of the operations page; run in one snapshot. */
export function* figures(atMs: number): Steps<LedgerFigures> {
  const { todayMs, weekMs, dayAgoMs, nowMs, soonMs } = figureWindows(atMs);
  const receipts = yield* rowsOf(figureStatements.receipts, todayMs, weekMs);
  const unresolved = yield* firstOf(figureStatements.unresolved);
  const openPayments = yield* rowsOf(figureStatements.openPayments, shownRows);
  const queued = yield* firstOf(figureStatements.queued);
  const undelivered = yield* firstOf(figureStatements.undelivered, weekMs, dayAgoMs);
  const jobs = yield* rowsOf(figureStatements.jobs);
  const endingBudgets = yield* rowsOf(figureStatements.endingBudgets, nowMs, soonMs, shownRows);
  const ages = jobs.flatMap((row) => (row['oldest'] === null ? [] : [wholeNumber(row['oldest'])]));
  return {
    receipts: receipts.map(receiptFigure),
    unresolved: wholeNumber(unresolved?.['n'] ?? 0),
    openPayments: openPayments.map(openPayment),
    queued: counted(queued),
    undelivered: { ...counted(undelivered), overdue: wholeNumber(undelivered?.['overdue'] ?? 0) },
    jobs: jobs.map((row) => ({ state: String(row['state']), count: wholeNumber(row['n']) })),
    oldestJobMs: ages.length === 0 ? null : Math.min(...ages),
    endingBudgets: endingBudgets.map(endingBudget),
  };
}

function counted(row: RawRow | null): { count: number; micro: number } {
  return { count: wholeNumber(row?.['n'] ?? 0), micro: wholeNumber(row?.['micro'] ?? 0) };
}

function receiptFigure(row: RawRow): ReceiptFigure {
  return {
    mode: row['settlement_mode'] as SettlementMode,
    status: row['charge_status'] as ChargeStatus,
    today: wholeNumber(row['today']),
    todayMicro: wholeNumber(row['today_micro']),
    week: wholeNumber(row['week']),
    weekMicro: wholeNumber(row['week_micro']),
  };
}

function openPayment(row: RawRow): OpenPayment {
  return {
    receiptId: String(row['receipt_id']),
    provider: row['provider'] as Provider,
    phase: row['phase'] as PaymentPhase,
    amountMicro: wholeNumber(row['amount_micro']),
    refusal: row['refusal'] === null ? null : String(row['refusal']),
    checks: wholeNumber(row['checks']),
    createdMs: wholeNumber(row['created_ms']),
  };
}

function endingBudget(row: RawRow): EndingBudget {
  return {
    grantId: String(row['grant_id']),
    program: row['program'] as GrantProgram,
    status: row['status'] as GrantStatus,
    accountId: row['account_id'] === null ? null : String(row['account_id']),
    budgetMicro: wholeNumber(row['budget_micro']),
    remainingMicro: wholeNumber(row['remaining']),
    expiresMs: wholeNumber(row['expires_ms']),
  };
}
