import type pg from 'pg';
import type { LedgerLog, LedgerTime } from '../port/ledger.ts';
import type { PostgresDatabase } from './postgresDatabase.ts';

const againMs = 1000;

/** The connection that listens for moved receipts and changed keys (P8.18); a notification is a hint, the row decides. */
export type Notifications = { start(): Promise<void>; stop(): Promise<void> };

/** Listens on a connection of its own and connects again when it breaks. */
export function notifications({
  database,
  time,
  log,
  tell,
}: {
  database: PostgresDatabase;
  time: LedgerTime;
  log: LedgerLog;
  tell: (channel: 'receipt' | 'api_key', id: string) => void;
}): Notifications {
  let client: pg.Client | null = null;
  let stopped = false;
  let cancel = () => {};

  async function listen(): Promise<void> {
    const fresh = await database.client({ bounded: true });
    fresh.on('notification', ({ channel, payload }) => {
      if (channel === 'receipt' || channel === 'api_key') tell(channel, payload ?? '');
    });
    try {
      await fresh.query('LISTEN receipt');
      await fresh.query('LISTEN api_key');
    } catch (error) {
      // with a statement on its way this closes the socket at once
      await fresh.end();
      throw error;
    }
    client = fresh;
    fresh.on('end', () => {
      if (client === fresh) client = null;
      if (!stopped) again();
    });
  }

  function again(): void {
    cancel = time.after(againMs, () => {
      listen().catch((error: unknown) => {
        const message = error instanceof Error ? error.message : 'unknown';
        log({ level: 'warn', event: 'ledger_not_listening', fields: { message } });
        if (!stopped) again();
      });
    });
  }

  return {
    start: listen,
    stop: async () => {
      stopped = true;
      cancel();
      await client?.end();
    },
  };
}
