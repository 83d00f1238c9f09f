import { graceSweep } from '../ledger/graceSweep.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../ledger/port/ledger.ts';

const everyMs = 30_000;

/**
 * Gives back what crashes left held and expires grants (P7.11, P7.14), every 30 s until stopped: for servers whose
 * rails have no worker that does it.
 */
export function startSweeping({
  ledger,
  time,
  log,
}: {
  ledger: Pick<Ledger, 'clock' | 'sweep'>;
  time: LedgerTime;
  log: LedgerLog;
}): () => void {
  const sweep = graceSweep(ledger);
  let stopped = false;
  let cancel = (): void => {};
  const run = async (): Promise<void> => {
    try {
      await sweep();
    } catch (error) {
      const why = error instanceof Error ? error.name : 'error';
      log({ level: 'error', event: 'sweep_failed', fields: { why } });
    }
    if (!stopped) cancel = time.after(everyMs, () => void run());
  };
  void run();
  return () => {
    stopped = true;
    cancel();
  };
}
