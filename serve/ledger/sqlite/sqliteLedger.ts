import type { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { markKeeper, restoredCopy } from '../ledgerMark.ts';
import { idListeners } from '../listeners.ts';
import { neverUnhandled } from '../neverUnhandled.ts';
import type { Ledger, LedgerLog, LedgerTime } from '../port/ledger.ts';
import type { ClaimInput, ClaimResult } from '../port/payment.ts';
import { day } from '../reads/day.ts';
import { portReads } from '../reads/portReads.ts';
import { claimOf, newestClaimMs, newestEvent, queuedMicro } from '../reads/receiptReads.ts';
import { claimedRow, heldRow, notChargedRow } from '../rows/receipt.ts';
import type { Steps } from '../steps/steps.ts';
import { portStores } from '../writes/portStores.ts';
import { unchargedReceipt } from './calls/inserts.ts';
import { copyNotes } from './copy/ledgerCopy.ts';
import { keptSum } from './reads/keptSum.ts';
import { readFigures } from './reads/readFigures.ts';
import { inSnapshot } from './reads/snapshot.ts';
import { sqliteCheck, sqliteExport } from './reads/sqliteBooks.ts';
import { stepRunner } from './runSteps.ts';
import { checkSchema } from './schema/applySchema.ts';
import { openDatabase } from './schema/openDatabase.ts';
import { detachedBytes, detachedClaim, detachedInput, detachedReceipt } from './writer/detachedBytes.ts';
import { groupCommit } from './writer/groupCommit.ts';
import type { CommitReport } from './writer/groupCommitState.ts';
import { type SpawnWriter, threadWriter } from './writer/spawnWriter.ts';

/**
 * The embedded ledger (PAYMENTS 8.B): one file, one writer thread with group commit, one read-only connection
 * on this thread. `onFatal` has to end the process (P8.10).
 */
export function sqliteLedger(given: {
  path: string;
  time: LedgerTime;
  log: LedgerLog;
  onFatal: (error: Error) => void;
  onCommit?: (report: CommitReport) => void;
  spawn?: SpawnWriter;
}): Ledger {
  const spawn = given.spawn ?? threadWriter({ path: given.path });
  const writes = groupCommit({
    spawn,
    time: given.time,
    log: given.log,
    onFatal: given.onFatal,
    onCommit: given.onCommit,
  });
  const listeners = idListeners();
  const mark = markKeeper({
    path: `${given.path}.mark`,
    newestEvent: () => readSoon(newestEvent()),
    copyId: async () => (reader === null ? null : (copyNotes(reader.database)?.id ?? null)),
    after: given.time.after,
    onRestored: (known, newest) =>
      given.log({ level: 'error', event: 'ledger_restored_copy', fields: { known, newest } }),
  });
  let reader: { readonly database: DatabaseSync; readonly run: ReturnType<typeof stepRunner> } | null = null;
  const totalMicro = keptSum(() => read(queuedMicro(null)));

  /** Runs a read on the read-only connection of this thread (P8.6): it never waits for the writer. */
  function read<T>(steps: Steps<T>): T {
    if (reader === null) throw new Error('the ledger is not open');
    return reader.run(steps, given.time.nowMs());
  }

  const readSoon = async <T>(steps: Steps<T>) => read(steps);

  function refuseRestored(): void {
    if (mark.restored) throw restoredCopy();
  }

  async function claim(input: ClaimInput): Promise<ClaimResult> {
    refuseRestored();
    const own = detachedClaim(input);
    const won: ClaimResult = { won: true, receipt: claimedRow(input) };
    try {
      const outcome = await writes.call('claim', own);
      return outcome === 'won' ? won : outcome;
    } catch (error) {
      // the outcome of its batch is unknown: what can be read back was committed (P8.10)
      const found = isUnknownOutcome(error) ? read(claimOf(own.claimKey)) : null;
      if (found === null) throw error;
      if (found.receipt.receiptId === input.receipt.receiptId) return won;
      return { won: false, conflict: null, ...found };
    }
  }

  const stores = portStores({
    read: readSoon,
    write: (name, input) => writes.cold(name, detachedInput(input)),
    moved: listeners.tell,
  });

  return {
    ...stores,
    keys: {
      ...stores.keys,
      noteUsed: (uses) => {
        for (const { keyId, atMs } of uses) writes.handOver({ kind: 'key_used', keyId, atMs });
      },
    },
    ...portReads({ read: readSoon, totalMicro: async () => totalMicro() }),
    open: async () => {
      await writes.open();
      let database: DatabaseSync | null = null;
      try {
        database = openDatabase({ path: given.path, mode: 'read' });
        checkSchema(database);
        reader = { database, run: stepRunner(database) };
        await mark.start();
      } catch (error) {
        database?.close();
        reader = null;
        await writes.close();
        throw error;
      }
    },
    close: async () => {
      if (reader !== null) {
        await mark.stop();
        // a reader left open would keep the last checkpoint from truncating the WAL
        reader.database.close();
        reader = null;
      }
      await writes.close();
    },
    health: async () => {
      const health = writes.health();
      if (health.status === 'failing' || !mark.restored) return health;
      return { ...health, status: 'failing', reason: 'restored_copy' };
    },
    claim,
    alias: (given) => writes.cold('alias', detachedInput(given)),
    transition: async (transition) => {
      const moved = await writes.call('transition', transition);
      if (moved) listeners.tell(transition.receiptId);
      return moved;
    },
    noteUnknown: async (outcome) => {
      const receiptId = await writes.cold('noteUnknown', detachedInput(outcome));
      if (receiptId !== null) listeners.tell(receiptId);
      return receiptId !== null;
    },
    noteTx: (claimKey, txHash) =>
      writes.cold('noteTx', { claimKey: detachedBytes(claimKey), txHash, atMs: given.time.nowMs() }),
    renew: (r) => {
      const input = { ...r, claimKeys: r.claimKeys.map(detachedBytes) };
      writes.handOver({ kind: 'call', name: 'renew', input });
    },
    noteNotCharged: (receipt) => {
      const row = notChargedRow(receipt);
      writes.handOverReceipt(unchargedReceipt(row));
      return row;
    },
    insertNotCharged: async (receipt, idem) => {
      const nowMs = given.time.nowMs();
      const input = { receipt: detachedReceipt(receipt), idem: detachedReceipt(idem), nowMs };
      const outcome = await writes.call('insertNotCharged', input);
      return outcome === 'stored' ? notChargedRow(receipt) : outcome;
    },
    hold: async (hold) => {
      refuseRestored();
      const idem = hold.idem === null ? null : detachedReceipt(hold.idem);
      const input = { ...hold, idem, receipt: detachedReceipt(hold.receipt), nowMs: given.time.nowMs() };
      const outcome = await writes.call('hold', input);
      return outcome.kind === 'held' ? { ...outcome, receipt: heldRow(hold) } : outcome;
    },
    endHold: (debitId, to) =>
      neverUnhandled(writes.call('endHold', { debitId, to, atMs: given.time.nowMs() }, 'soon')),
    delivered: writes.noteDelivery,
    replayed: (receiptId) => writes.handOver({ kind: 'call', name: 'replayed', input: receiptId }),
    takeDue: (asked) => writes.cold('takeDue', asked),
    noteCheck: (note) => writes.cold('noteCheck', detachedInput(note)),
    clock: async () => given.time.nowMs(),
    sweep: (atMs = given.time.nowMs()) => writes.call('sweep', atMs),
    onReceipt: listeners.add,
    export: (range) => sqliteExport({ path: given.path, ...range }),
    check: async () => sqliteCheck(given.path),
    figures: (asked) => readFigures({ path: given.path, ...asked }),
    day: async (asked) => inSnapshot(given.path, () => day(asked)),
    restored: async () => {
      if (!mark.restored || reader === null) return null;
      const sinceMs = Math.max(read(newestClaimMs()), copyNotes(reader.database)?.copiedMs ?? 0);
      return { sinceMs: sinceMs === 0 ? null : sinceMs };
    },
    acceptRestored: (as) => mark.accept(as),
  };
}

function isUnknownOutcome(error: unknown): boolean {
  return error instanceof IssuerError && error.code === 'store_unwritable';
}
