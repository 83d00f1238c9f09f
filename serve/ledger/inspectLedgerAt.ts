import type { LedgerAddress } from './port/ledgerAddress.ts';
import { postgresDatabase } from './postgres/postgresDatabase.ts';
import { inspectPostgres } from './postgres/schema/postgresSchema.ts';
import { inspectLedger } from './sqlite/schema/inspectLedger.ts';

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
