import { markKeeper, restoredCopy } from '../ledgerMark.ts';
import { idListeners } from '../listeners.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../port/ledger.ts';
import { day } from '../reads/day.ts';
import { figures } from '../reads/figures.ts';
import { portReads } from '../reads/portReads.ts';
import { newestClaimMs, newestEvent } from '../reads/receiptReads.ts';
import { notChargedRow } from '../rows/receipt.ts';
import { clockMs, type Steps } from '../steps/steps.ts';
import { type ColdResult, coldWrites, type WriteCold } from '../writes/coldWrites.ts';
import { portStores } from '../writes/portStores.ts';
import { hotWrites } from './hotWrites.ts';
import { notifications } from './notifications.ts';
import { postgresCheck, postgresExport } from './postgresBooks.ts';
import { lostAtStart, postgresDatabase } from './postgresDatabase.ts';
import { stepRunner } from './runSteps.ts';
import { preparePostgres } from './schema/postgresSchema.ts';
import { inSnapshot } from './snapshot.ts';
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
    onRestored: (known, newest) =>
      log({ level: 'error', event: 'ledger_restored_copy', fields: { known, newest } }),
  });
  let open = false;

  const refuseRestored = () => {
    if (mark.restored) throw restoredCopy();
  };
  // a receipt that moves notifies every server, this one as well (P8.18)
  const stores = portStores({ read, write: writeCold, moved: () => {} });

  return {
    ...stores,
    keys: {
      ...stores.keys,
      noteUsed: (uses) => {
        for (const { keyId, atMs } of uses) queue.minor({ kind: 'key_used', keyId, atMs });
      },
      onChange: keyListeners.add,
    },
    ...portReads({ read }),
    ...hotWrites({ database, read, now, refuseRestored }),
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
    alias: (given) => writeCold('alias', given),
    noteUnknown: async (outcome) => (await writeCold('noteUnknown', outcome)) !== null,
    noteTx: (claimKey, txHash) => writeCold('noteTx', { claimKey, txHash, atMs: time.nowMs() }),
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
    takeDue: (asked) => writeCold('takeDue', asked),
    noteCheck: (note) => writeCold('noteCheck', note),
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
