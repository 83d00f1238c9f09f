import type { LedgerOverview } from '../port/books.ts';
import type { ChargeStatus, SettlementMode } from '../port/receipt.ts';
import { type RawRow, wholeNumber } from './columns.ts';

/** The counts of P9.14 from the rows of four queries. */
export function overviewOf(input: {
  receipts: readonly RawRow[];
  jobs: readonly RawRow[];
  undelivered: unknown;
  oldestJob: unknown;
}): LedgerOverview {
  const receipts = input.receipts.map((row) => ({
    mode: row['settlement_mode'] as SettlementMode,
    status: row['charge_status'] as ChargeStatus,
    count: wholeNumber(row['n']),
    chargedMicro: wholeNumber(row['micro']),
  }));
  const open = receipts.filter((r) => r.status === 'authorized' || r.status === 'submitted');
  return {
    receipts,
    jobs: input.jobs.map((row) => ({ state: String(row['state']), count: wholeNumber(row['n']) })),
    unresolved: open.reduce((sum, r) => sum + r.count, 0),
    undelivered: wholeNumber(input.undelivered ?? 0),
    oldestJobMs:
      input.oldestJob === null || input.oldestJob === undefined ? null : wholeNumber(input.oldestJob),
  };
}
