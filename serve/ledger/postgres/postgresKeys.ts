import type { KeyAdmin } from '../port/key.ts';
import { keyInfo, keyRecord } from '../smallRows.ts';
import { keyColumns } from './columns.ts';
import type { HandedOver } from './handedOver.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';

/** API keys in PostgreSQL (P6.1–P6.5). */
export function postgresKeys(o: { database: PostgresDatabase; queue: HandedOver }): KeyAdmin {
  const records: KeyAdmin['records'] = async () =>
    (await o.database.rows('SELECT * FROM api_keys ORDER BY created_ms, key_id')).map(keyRecord);
  return {
    records,
    list: async () => (await records()).map(keyInfo),
    create: async (key) =>
      (await o.database.value('SELECT ledger_key_create($1, $2)', [
        JSON.stringify(keyColumns(key)),
        key.replaces,
      ])) as Awaited<ReturnType<KeyAdmin['create']>>,
    revoke: async ({ keyId, as, atMs }) =>
      (await o.database.value('SELECT ledger_key_revoke($1, $2, $3)', [keyId, as, atMs])) as Awaited<
        ReturnType<KeyAdmin['revoke']>
      >,
    noteUsed: (uses) => {
      for (const { keyId, atMs } of uses) o.queue.small({ kind: 'key_used', keyId, atMs });
    },
  };
}
