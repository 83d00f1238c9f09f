import type { Ledger, LedgerLog, LedgerTime } from './ledger.ts';
import { postgresLedger } from './postgres/postgresLedger.ts';
import { sqliteLedger } from './sqlite/sqliteLedger.ts';

/** Where a deployment keeps its ledger (`II_LEDGER`, P0.6). */
export type LedgerAddress =
  | { readonly kind: 'sqlite'; readonly path: string }
  | {
      readonly kind: 'postgres';
      readonly connection: string;
      /** file of this machine that remembers how new the ledger was (S38) */
      readonly markPath: string;
    };

/** The adapter of an address, not yet open. `application` names this process to the database. */
export function ledgerAt(o: {
  address: LedgerAddress;
  time: LedgerTime;
  log: LedgerLog;
  onFatal: (error: Error) => void;
  application?: string;
}): Ledger {
  const { address, time, log } = o;
  if (address.kind === 'sqlite') return sqliteLedger({ path: address.path, time, log, onFatal: o.onFatal });
  const application = o.application ?? 'issuer-serve';
  return postgresLedger({ ...address, time, log, application });
}
