import type pg from 'pg';
import { markKeeper } from '../ledgerMark.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../port/ledger.ts';
import { day } from '../reads/day.ts';
import { figures } from '../reads/figures.ts';
import { newestClaimMs, newestEvent } from '../reads/receiptReads.ts';
import { notChargedRow } from '../rows/receipt.ts';
import { idListeners, sharedMethods } from '../sharedMethods.ts';
import { clockMs, type Steps } from '../steps/steps.ts';
import { type ColdResult, coldWrites, type WriteCold } from '../writes/coldWrites.ts';
import { hotWrites } from './hotWrites.ts';
import { lostAtStart, type PostgresDatabase, postgresDatabase } from './postgresDatabase.ts';
import { inSnapshot, postgresCheck, postgresExport, stepRunner } from './runSteps.ts';
import { preparePostgres } from './schema/postgresSchema.ts';
import { unawaitedWrites } from './unawaitedWrites.ts';

/**
 * The ledger of many servers (PAYMENTS 8.C): each method is one statement, the server groups the flushes of
 * concurrent commits itself. `markPath` is a file of this machine (S38). `nowMs` replaces the database's clock in
 * tests (P8.17); `reach` is another way to the database than a pool of its own.
 */
export function postgresLedger({
  connection,
  markPath,
  time,
  log,
  application = 'issuer-serve',
  nowMs,
  reach = postgresDatabase,
}: {
  connection: string;
  markPath: string;
  time: LedgerTime;
  log: LedgerLog;
  application?: string;
  nowMs?: () => number;
  reach?: typeof postgresDatabase;
}): Ledger {
  const database = reach({ connection, application });
  const now = () => nowMs?.() ?? null;
  const { read, write } = stepRunner(database, now);
  const writeCold: WriteCold = (name, input) => {
    // each input goes to the write of its name
    const steps = coldWrites[name] as (input: unknown) => Steps<ColdResult<typeof name>>;
    return write(steps(input));
  };
  const queue = unawaitedWrites({ database, time, log });
  const listeners = idListeners();
  const keyListeners = idListeners();
  const heard = notifications({
    database,
    time,
    log,
    tell: (channel, id) => (channel === 'receipt' ? listeners : keyListeners).tell(id),
  });
  const mark = markKeeper({
    path: markPath,
    newestEvent: () => read(newestEvent()),
    after: time.after,
    log,
  });
  let open = false;

  // a receipt that moves notifies every server, this one as well (P8.18)
  const shared = sharedMethods({ read, write: writeCold, time, moved: () => {} });

  return {
    ...shared,
    keys: {
      ...shared.keys,
      noteUsed: (uses) => {
        for (const { keyId, atMs } of uses) queue.minor({ kind: 'key_used', keyId, atMs });
      },
      onChange: keyListeners.add,
    },
    ...hotWrites({ database, read, now, refuseRestored: mark.refuseRestored }),
    open: async () => {
      try {
        const client = await database.client({ bounded: true });
        await preparePostgres(client).finally(() => client.end());
        await mark.start();
        await heard.start();
        open = true;
      } catch (error) {
        await heard.stop().catch(() => {});
        await database.close();
        throw lostAtStart(error);
      }
    },
    close: async () => {
      if (!open) return;
      open = false;
      await queue.drain();
      // an unreachable database leaves the mark where it was
      await mark.stop().catch(() => {});
      await heard.stop();
      await database.close();
    },
    health: async () => {
      const reason = !open
        ? 'not_open'
        : queue.failing || database.unreachable !== null
          ? 'unreachable'
          : mark.restored
            ? 'restored_copy'
            : null;
      return { status: reason === null ? 'ok' : 'failing', reason, waiting: queue.waiting, slow: false };
    },
    renew: ({ claimKeys, owner, ownerUntilMs }) => {
      for (const claimKey of claimKeys) queue.minor({ kind: 'renew', claimKey, owner, ownerUntilMs });
    },
    noteNotCharged: (receipt) => {
      const row = notChargedRow(receipt);
      queue.receipt(row);
      return row;
    },
    delivered: (receiptId, delivery) => queue.minor({ kind: 'delivery', receiptId, delivery }),
    replayed: (receiptId) => queue.minor({ kind: 'replay', receiptId }),
    clock: () => read(clockMs()),
    onReceipt: listeners.add,
    export: (range) => postgresExport({ database, ...range }),
    check: () => postgresCheck(database),
    figures: ({ nowMs, withinMs }) => inSnapshot({ database, withinMs, steps: () => figures(nowMs) }),
    day: (asked) => inSnapshot({ database, steps: () => day(asked) }),
    restored: async () => {
      if (!mark.restored) return null;
      const sinceMs = await read(newestClaimMs());
      return { sinceMs: sinceMs === 0 ? null : sinceMs };
    },
    acceptRestored: (as) => mark.accept(as),
  };
}

const againMs = 1000;

/** The connection that listens for moved receipts and changed keys (P8.18); a notification is a hint, the row decides. */
type Notifications = { start(): Promise<void>; stop(): Promise<void> };

/** Listens on a connection of its own and connects again when it breaks. */
function notifications({
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
