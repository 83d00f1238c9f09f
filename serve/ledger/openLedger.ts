import type { LedgerAddress } from '../config/ledgerAddress.ts';
import type { Ledger, LedgerLog, LedgerTime } from './ledger.ts';
import { postgresLedger } from './postgres/postgresLedger.ts';
import type { CommitReport } from './sqlite/groupCommit.ts';
import { sqliteLedger } from './sqlite/sqliteLedger.ts';

/** The adapter of an address, not yet open. `application` names this process to the database. */
export function ledgerAt(o: {
  address: LedgerAddress;
  time: LedgerTime;
  log: LedgerLog;
  onFatal: (error: Error) => void;
  application?: string;
  /** Told of every commit of the embedded ledger. */
  onCommit?: (report: CommitReport) => void;
}): Ledger {
  const { address, time, log } = o;
  if (address.kind === 'sqlite') {
    const { onFatal, onCommit } = o;
    return sqliteLedger({
      path: address.path,
      time,
      log,
      onFatal,
      ...(onCommit === undefined ? {} : { onCommit }),
    });
  }
  const application = o.application ?? 'issuer-serve';
  return postgresLedger({ ...address, time, log, application });
}
