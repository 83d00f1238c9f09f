import type { LedgerLog } from '../../ledger/port/ledger.ts';

/** The log, counting every warning and error by name, so that the metrics show them as well. */
export function watchLog(log: LedgerLog, alert: (event: string) => void): LedgerLog {
  return (line) => {
    if (line.level !== 'info') alert(line.event);
    log(line);
  };
}
