import type { Ledger, LedgerLog, LedgerTime } from '../ledger/port/ledger.ts';

/** How long a crash may leave a price held: three times the request limit (P7.11). */
export const holdMs = 60_000;
const retryMs = 1_000;

/** Ends the hold of an answer: `debited` when it has left, `released` when it has not (P7.8). */
export type HoldEnder = (debitId: string, to: 'debited' | 'released') => void;

/**
 * A debit that the ledger cannot take at the moment is tried again each second while the hold lasts, so that a database
 * that was away for a while takes what was delivered meanwhile (P7.9). A release is left to the worker's sweep (P7.11).
 */
export function holdEnder({
  ledger,
  time,
  log,
}: {
  ledger: Pick<Ledger, 'endHold'>;
  time: LedgerTime;
  log: LedgerLog;
}): HoldEnder {
  async function end(debitId: string, to: 'debited' | 'released', attempt: number): Promise<void> {
    try {
      await ledger.endHold(debitId, to);
    } catch (error) {
      const why = error instanceof Error ? error.name : 'error';
      const fields = { debit_id: debitId, to, why, attempt };
      log({ level: 'error', event: 'grant_hold_not_ended', fields });
      if (to === 'debited' && (attempt + 1) * retryMs < holdMs)
        time.after(retryMs, () => void end(debitId, to, attempt + 1));
    }
  }
  return (debitId, to) => void end(debitId, to, 0);
}
