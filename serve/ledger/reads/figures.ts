import {
  type Counted,
  dayTables,
  figureTables,
  figureWindows,
  type LedgerFigures,
  shownRows,
} from '../port/day.ts';
import { type Columns, integer, type RowOf, rowReader, wholeNumber } from '../rows/columns.ts';
import { firstOf, rowsBy, rowsOf, type Statement, type Steps, statement } from '../steps/steps.ts';

/** The statements of the operations page; each may read a week of receipts. */
const figureStatements = {
  receipts:
    statement(`SELECT settlement_mode, charge_status, count(*) AS week, sum(charged_micro) AS week_micro,
      sum(CASE WHEN created_ms >= $1 THEN 1 ELSE 0 END) AS today,
      sum(CASE WHEN created_ms >= $1 THEN charged_micro ELSE 0 END) AS today_micro
    FROM receipts WHERE created_ms >= $2
    GROUP BY settlement_mode, charge_status ORDER BY settlement_mode, charge_status`),
  unresolved: statement(`SELECT count(*) AS count FROM receipts
    WHERE charge_status IN ('authorized','submitted')`),
  openPayments:
    statement(`SELECT p.receipt_id, p.provider, p.phase, p.amount_micro, p.refusal, p.checks, p.created_ms
    FROM receipts r JOIN payments p ON p.claim_key = r.claim_key
    WHERE r.charge_status IN ('authorized','submitted') ORDER BY r.updated_ms, r.receipt_id LIMIT $1`),
  queued: statement(`SELECT count(*) AS count, sum(charged_micro) AS micro FROM receipts
    WHERE charge_status = 'queued_for_batch'`),
  // conditions that say less than the next one repeat the partial index's predicate, so that the planner uses it
  undelivered: statement(`SELECT count(*) AS count, sum(charged_micro) AS micro,
      sum(CASE WHEN created_ms <= $2 THEN 1 ELSE 0 END) AS overdue
    FROM receipts WHERE delivery_status IN ('pending','undelivered') AND delivery_status = 'undelivered'
      AND charge_status IN ('authorized','submitted','queued_for_batch','settled')
      AND charge_status IN ('queued_for_batch','settled') AND created_ms >= $1`),
  // ended jobs stay in the table for good; its tail is enough to see what died
  jobs: statement(`SELECT state, count(*) AS count, CASE WHEN state = 'dead' THEN NULL ELSE min(created_ms) END AS oldest
    FROM settlement_jobs WHERE state IN ('queued','leased','sent')
      OR (state = 'dead' AND job_id > (SELECT max(job_id) FROM settlement_jobs) - 100000)
    GROUP BY state ORDER BY state`),
  endingBudgets: statement(`SELECT grant_id, program, status, account_id, budget_micro, expires_ms,
      budget_micro - spent_micro - held_micro AS remaining_micro
    FROM grants WHERE status IN ('active','exhausted') AND expires_ms > $1
      AND ((budget_micro - spent_micro - held_micro) * 10 < budget_micro OR expires_ms <= $2)
    ORDER BY remaining_micro, expires_ms, grant_id LIMIT $3`),
} as const;

/** The figures of the operations page; run in one snapshot. */
export function* figures(atMs: number): Steps<LedgerFigures> {
  const { todayMs, weekMs, dayAgoMs, nowMs, soonMs } = figureWindows(atMs);
  const asked = figureStatements;
  const shown = figureTables;
  const jobs = yield* rowsOf(asked.jobs);
  const ages = jobs.flatMap((row) => (row['oldest'] === null ? [] : [wholeNumber(row['oldest'])]));
  return {
    receipts: yield* rowsBy(shown.receipts, asked.receipts, todayMs, weekMs),
    unresolved: (yield* totals({ count: integer('count') }, asked.unresolved)).count,
    openPayments: yield* rowsBy(shown.openPayments, asked.openPayments, shownRows),
    queued: yield* countedBy(asked.queued),
    undelivered: yield* totals(shown.undelivered, asked.undelivered, weekMs, dayAgoMs),
    jobs: jobs.map(rowReader(shown.jobs)),
    oldestJobMs: ages.length === 0 ? null : Math.min(...ages),
    endingBudgets: yield* rowsBy(shown.endingBudgets, asked.endingBudgets, nowMs, soonMs, shownRows),
  };
}

/** The one row of a statement that only counts and adds up; the sum of nothing is 0. */
function* totals<C extends Columns>(columns: C, of: Statement, ...values: number[]): Steps<RowOf<C>> {
  return rowReader(columns)((yield* firstOf(of, ...values)) ?? {});
}

/** The same of a number and an amount. */
export function countedBy(of: Statement, ...values: number[]): Steps<Counted> {
  return totals(dayTables.counted, of, ...values);
}
