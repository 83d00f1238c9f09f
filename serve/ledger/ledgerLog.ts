import type { Logger } from 'pino';
import type { LedgerLog } from './port/ledger.ts';

/** Passes the ledger's structured lines on to the server's log. */
export function ledgerLog(log: Logger): LedgerLog {
  return ({ level, event, fields }) => log[level]({ ...fields }, event);
}
