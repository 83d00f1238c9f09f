import type { EndingBudget, LedgerFigures, OpenPayment, ReceiptFigure } from '../port/figures.ts';
import type { GrantProgram, GrantStatus } from '../port/grant.ts';
import type { PaymentPhase, Provider } from '../port/payment.ts';
import type { ChargeStatus, SettlementMode } from '../port/receipt.ts';
import { type RawRow, wholeNumber } from './columns.ts';

/** The rows of the seven queries of the figures. */
export type RawFigures = {
  readonly receipts: readonly RawRow[];
  readonly unresolved: RawRow | null;
  readonly openPayments: readonly RawRow[];
  readonly queued: RawRow | null;
  readonly undelivered: RawRow | null;
  readonly jobs: readonly RawRow[];
  readonly endingBudgets: readonly RawRow[];
};

/** Puts the figures together. */
export function figuresOf(raw: RawFigures): LedgerFigures {
  const ages = raw.jobs.flatMap((row) => (row['oldest'] === null ? [] : [wholeNumber(row['oldest'])]));
  return {
    receipts: raw.receipts.map(receiptFigure),
    unresolved: wholeNumber(raw.unresolved?.['n'] ?? 0),
    openPayments: raw.openPayments.map(openPayment),
    queued: counted(raw.queued),
    undelivered: {
      ...counted(raw.undelivered),
      overdue: wholeNumber(raw.undelivered?.['overdue'] ?? 0),
    },
    jobs: raw.jobs.map((row) => ({ state: String(row['state']), count: wholeNumber(row['n']) })),
    oldestJobMs: ages.length === 0 ? null : Math.min(...ages),
    endingBudgets: raw.endingBudgets.map(endingBudget),
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
