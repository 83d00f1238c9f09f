import type { LedgerTime, ReceiptRow } from '../../ledger/ledger.ts';
import type { ClaimedPayment } from '../../ledger/port/payment.ts';

const quietMs = 1000;

/**
 * Looks at open claims for whoever repeats them (I5.25): repeats share the look that runs, and what it found answers
 * those that come within a second of its start. So a flood of repeats costs the chain or the gateway one call a second.
 */
export function sharedLooks(o: {
  look(found: ClaimedPayment): Promise<ReceiptRow | null>;
  time: Pick<LedgerTime, 'nowMs'>;
}): (found: ClaimedPayment) => Promise<ReceiptRow | null> {
  type Look = { readonly atMs: number; ended: boolean; readonly result: Promise<ReceiptRow | null> };
  const looks = new Map<string, Look>();

  // a clock that stepped back makes nothing younger
  function isFresh({ atMs, ended }: Look, nowMs: number): boolean {
    const age = nowMs - atMs;
    return !ended || (age >= 0 && age < quietMs);
  }

  function start(key: string, found: ClaimedPayment, nowMs: number): Look {
    for (const [old, one] of looks) if (!isFresh(one, nowMs)) looks.delete(old);
    const result = o.look(found).finally(() => {
      look.ended = true;
    });
    const look: Look = { atMs: nowMs, ended: false, result };
    looks.set(key, look);
    return look;
  }

  return (found) => {
    const key = Buffer.from(found.payment.claimKey).toString('hex');
    const nowMs = o.time.nowMs();
    const known = looks.get(key);
    return (known !== undefined && isFresh(known, nowMs) ? known : start(key, found, nowMs)).result;
  };
}
