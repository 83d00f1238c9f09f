import type { LedgerTime } from './port/ledger.ts';

/** The clock and timers of this machine; a waiting timer does not keep the process alive. */
export const systemTime: LedgerTime = {
  nowMs: () => Date.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
