import type { LedgerTime, ReceiptRow } from '../../ledger/port/ledger.ts';
import type { ClaimedPayment } from '../../ledger/port/payment.ts';

const freshMs = 1000;

type Running = { readonly atMs: number; ended: boolean; readonly result: Promise<ReceiptRow | null> };

/**
 * Rechecks open claims for repeated payments (I5.25): repeats share the recheck that runs, and its result answers those
 * within a second of its start. So a flood of repeats costs the chain or the gateway one call a second.
 */
export function sharedRechecks({
  recheck,
  time,
}: {
  recheck(found: ClaimedPayment): Promise<ReceiptRow | null>;
  time: Pick<LedgerTime, 'nowMs'>;
}): (found: ClaimedPayment) => Promise<ReceiptRow | null> {
  const rechecks = new Map<string, Running>();

  // a clock that stepped back makes nothing younger
  function isFresh({ atMs, ended }: Running, nowMs: number): boolean {
    const age = nowMs - atMs;
    return !ended || (age >= 0 && age < freshMs);
  }

  function start(key: string, found: ClaimedPayment, nowMs: number): Running {
    for (const [old, one] of rechecks) if (!isFresh(one, nowMs)) rechecks.delete(old);
    const result = recheck(found).finally(() => {
      running.ended = true;
    });
    const running: Running = { atMs: nowMs, ended: false, result };
    rechecks.set(key, running);
    return running;
  }

  return (found) => {
    const key = Buffer.from(found.payment.claimKey).toString('hex');
    const nowMs = time.nowMs();
    const known = rechecks.get(key);
    return (known !== undefined && isFresh(known, nowMs) ? known : start(key, found, nowMs)).result;
  };
}
