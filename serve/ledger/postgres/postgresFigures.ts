import type pg from 'pg';
import { figuresOf } from '../figureRows.ts';
import { type FiguresInput, figureWindows, type LedgerFigures, shownRows } from '../port/figures.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';

/** Reads the figures of one snapshot on a connection of its own, which no request waits for. */
export async function postgresFigures(
  o: FiguresInput & { readonly database: PostgresDatabase },
): Promise<LedgerFigures> {
  const client = await o.database.client();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query("SELECT set_config('statement_timeout', $1, true)", [String(o.withinMs)]);
    return await figuresIn(client, o.nowMs);
  } finally {
    await client.end();
  }
}

/** The same within the snapshot of a connection. */
export async function figuresIn(client: pg.Client, atMs: number): Promise<LedgerFigures> {
  const { todayMs, weekMs, dayAgoMs, nowMs, soonMs } = figureWindows(atMs);
  const receipts = await client.query(
    `SELECT settlement_mode, charge_status, count(*) AS week, sum(charged_micro) AS week_micro,
        count(*) FILTER (WHERE created_ms >= $1) AS today,
        coalesce(sum(charged_micro) FILTER (WHERE created_ms >= $1), 0) AS today_micro
      FROM receipts WHERE created_ms >= $2
      GROUP BY settlement_mode, charge_status ORDER BY settlement_mode, charge_status`,
    [todayMs, weekMs],
  );
  const unresolved = await client.query(
    "SELECT count(*) AS n FROM receipts WHERE charge_status IN ('authorized','submitted')",
  );
  const openPayments = await client.query(
    `SELECT p.receipt_id, p.provider, p.phase, p.amount_micro, p.refusal, p.checks, p.created_ms
      FROM receipts r JOIN payments p ON p.claim_key = r.claim_key
      WHERE r.charge_status IN ('authorized','submitted') ORDER BY r.updated_ms, r.receipt_id LIMIT $1`,
    [shownRows],
  );
  const queued = await client.query(
    "SELECT count(*) AS n, sum(charged_micro) AS micro FROM receipts WHERE charge_status = 'queued_for_batch'",
  );
  const undelivered = await client.query(
    `SELECT count(*) AS n, sum(charged_micro) AS micro, count(*) FILTER (WHERE created_ms <= $2) AS overdue
      FROM receipts WHERE created_ms >= $1 AND charge_status IN ('queued_for_batch','settled')
        AND delivery_status = 'undelivered'`,
    [weekMs, dayAgoMs],
  );
  // ended jobs stay in the table for good; its tail is enough to see what died
  const jobs = await client.query(
    `SELECT state, count(*) AS n, CASE WHEN state = 'dead' THEN NULL ELSE min(created_ms) END AS oldest
      FROM settlement_jobs WHERE state IN ('queued','leased','sent')
        OR (state = 'dead' AND job_id > (SELECT max(job_id) FROM settlement_jobs) - 100000)
      GROUP BY state ORDER BY state`,
  );
  const endingBudgets = await client.query(
    `SELECT grant_id, program, status, account_id, budget_micro, expires_ms,
        budget_micro - spent_micro - held_micro AS remaining
      FROM grants WHERE status IN ('active','exhausted') AND expires_ms > $1
        AND ((budget_micro - spent_micro - held_micro) * 10 < budget_micro OR expires_ms <= $2)
      ORDER BY remaining, expires_ms, grant_id COLLATE "C" LIMIT $3`,
    [nowMs, soonMs, shownRows],
  );
  return figuresOf({
    receipts: receipts.rows,
    unresolved: unresolved.rows[0] ?? null,
    openPayments: openPayments.rows,
    queued: queued.rows[0] ?? null,
    undelivered: undelivered.rows[0] ?? null,
    jobs: jobs.rows,
    endingBudgets: endingBudgets.rows,
  });
}
