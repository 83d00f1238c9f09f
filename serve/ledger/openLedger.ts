import type { Ledger, LedgerLog, LedgerTime } from './port/ledger.ts';
import type { LedgerAddress } from './port/ledgerAddress.ts';
import { postgresLedger } from './postgres/postgresLedger.ts';
import { sqliteLedger } from './sqlite/sqliteLedger.ts';
import type { CommitReport } from './sqlite/writer/groupCommitState.ts';

/** The adapter of an address, not yet open. `application` names this process to the database. */
export function ledgerAt(input: {
  address: LedgerAddress;
  time: LedgerTime;
  log: LedgerLog;
  onFatal: (error: Error) => void;
  application?: string;
  /** Called after every commit of the embedded ledger. */
  onCommit?: (report: CommitReport) => void;
}): Ledger {
  const { address, time, log } = input;
  if (address.kind === 'sqlite') {
    const { onFatal, onCommit } = input;
    return sqliteLedger({
      path: address.path,
      time,
      log,
      onFatal,
      ...(onCommit === undefined ? {} : { onCommit }),
    });
  }
  const application = input.application ?? 'issuer-serve';
  return postgresLedger({ ...address, time, log, application });
}
