import type { Logger } from 'pino';
import type { Ledger, LedgerLog, LedgerTime } from './port/ledger.ts';
import type { LedgerAddress } from './port/ledgerAddress.ts';
import { postgresDatabase } from './postgres/postgresDatabase.ts';
import { postgresLedger } from './postgres/postgresLedger.ts';
import { inspectPostgres } from './postgres/schema/postgresSchema.ts';
import { inspectLedger } from './sqlite/schema/applySchema.ts';
import { sqliteLedger } from './sqlite/sqliteLedger.ts';
import type { GroupCommitDeps } from './sqlite/writer/groupCommitState.ts';

/** The adapter of an address, not yet open. `application` names this process to the database. */
export function ledgerAt({
  address,
  time,
  log,
  onFatal,
  application = 'issuer-serve',
  onCommit,
}: Omit<GroupCommitDeps, 'spawn'> & { address: LedgerAddress; application?: string }): Ledger {
  return address.kind === 'sqlite'
    ? sqliteLedger({ path: address.path, time, log, onFatal, onCommit })
    : postgresLedger({ ...address, time, log, application });
}

/**
 * Inspects a ledger without changing it, for `check-config` (I5.51).
 *
 * @throws IssuerError `configuration`, `store_unwritable` or `settlement_unavailable` when a start would be refused.
 */
export async function inspectLedgerAt(address: LedgerAddress): Promise<'ok' | 'not_created'> {
  if (address.kind === 'sqlite') return inspectLedger(address.path) === 'absent' ? 'not_created' : 'ok';
  const database = postgresDatabase({ connection: address.connection, application: 'check-config' });
  try {
    const client = await database.client({ bounded: true });
    const found = await inspectPostgres(client).finally(() => client.end());
    return found === 'absent' ? 'not_created' : 'ok';
  } finally {
    await database.close();
  }
}

/** The clock and timers of this machine; a waiting timer does not keep the process alive. */
export const systemTime: LedgerTime = {
  nowMs: () => Date.now(),
  after: (ms, task) => {
    const timer = setTimeout(task, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Passes the ledger's structured lines on to the server's log. */
export function ledgerLog(log: Logger): LedgerLog {
  return ({ level, event, fields }) => log[level]({ ...fields }, event);
}
