import type { DatabaseSync } from 'node:sqlite';
import { figuresOf } from '../figureRows.ts';
import { figureWindows, type LedgerFigures, shownRows } from '../port/figures.ts';
import { openDatabase } from './openDatabase.ts';

/**
 * Reads the figures of one snapshot on a connection of its own. The statement over a week's receipts may take
 * seconds, so this runs in a thread of its own, see `readFigures.ts`.
 */
export function sqliteFigures(o: { path: string; nowMs: number }): LedgerFigures {
  const database = openDatabase({ path: o.path, mode: 'read' });
  try {
    database.exec('BEGIN');
    return figuresIn(database, o.nowMs);
  } finally {
    database.close();
  }
}

/** The same within the snapshot of a connection. */
export function figuresIn(database: DatabaseSync, atMs: number): LedgerFigures {
  const { todayMs, weekMs, dayAgoMs, nowMs, soonMs } = figureWindows(atMs);
  const receipts = database.prepare(`
      SELECT settlement_mode, charge_status, count(*) AS week, sum(charged_micro) AS week_micro,
        sum(created_ms >= ?) AS today, sum(CASE WHEN created_ms >= ? THEN charged_micro ELSE 0 END) AS today_micro
      FROM receipts WHERE created_ms >= ?
      GROUP BY settlement_mode, charge_status ORDER BY settlement_mode, charge_status`);
  const unresolved = database.prepare(
    "SELECT count(*) AS n FROM receipts WHERE charge_status IN ('authorized','submitted')",
  );
  const openPayments = database.prepare(`
      SELECT p.receipt_id, p.provider, p.phase, p.amount_micro, p.refusal, p.checks, p.created_ms
      FROM receipts r JOIN payments p ON p.claim_key = r.claim_key
      WHERE r.charge_status IN ('authorized','submitted') ORDER BY r.updated_ms, r.receipt_id LIMIT ?`);
  const queued = database.prepare(
    "SELECT count(*) AS n, sum(charged_micro) AS micro FROM receipts WHERE charge_status = 'queued_for_batch'",
  );
  const undelivered = database.prepare(`
      SELECT count(*) AS n, sum(charged_micro) AS micro, sum(created_ms <= ?) AS overdue FROM receipts
      WHERE delivery_status IN ('pending','undelivered') AND delivery_status = 'undelivered'
        AND charge_status IN ('authorized','submitted','queued_for_batch','settled')
        AND charge_status IN ('queued_for_batch','settled') AND created_ms >= ?`);
  // ended jobs stay in the table for good; its tail is enough to see what died
  const jobs = database.prepare(`
      SELECT state, count(*) AS n, CASE WHEN state = 'dead' THEN NULL ELSE min(created_ms) END AS oldest
      FROM settlement_jobs WHERE state IN ('queued','leased','sent')
        OR (state = 'dead' AND job_id > (SELECT max(job_id) FROM settlement_jobs) - 100000)
      GROUP BY state ORDER BY state`);
  const endingBudgets = database.prepare(`
      SELECT grant_id, program, status, account_id, budget_micro, expires_ms,
        budget_micro - spent_micro - held_micro AS remaining
      FROM grants WHERE status IN ('active','exhausted') AND expires_ms > ?
        AND ((budget_micro - spent_micro - held_micro) * 10 < budget_micro OR expires_ms <= ?)
      ORDER BY remaining, expires_ms, grant_id LIMIT ?`);
  return figuresOf({
    receipts: receipts.all(todayMs, todayMs, weekMs),
    unresolved: unresolved.get() ?? null,
    openPayments: openPayments.all(shownRows),
    queued: queued.get() ?? null,
    undelivered: undelivered.get(dayAgoMs, weekMs) ?? null,
    jobs: jobs.all(),
    endingBudgets: endingBudgets.all(nowMs, soonMs, shownRows),
  });
}
