import type { LedgerLog } from '../../ledger/ledger.ts';

/** The log, telling of every warning and error by name: what an operator is to look at is in the metrics as well. */
export function watchLog(log: LedgerLog, alert: (event: string) => void): LedgerLog {
  return (line) => {
    if (line.level !== 'info') alert(line.event);
    log(line);
  };
}
