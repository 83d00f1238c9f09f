import type { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../contract/issuerError.ts';
import type { KeyAdmin, Ledger, LedgerLog, LedgerTime } from '../ledger.ts';
import { markKeeper, restoredCopy } from '../ledgerMark.ts';
import { idListeners } from '../listeners.ts';
import { neverUnhandled } from '../neverUnhandled.ts';
import type { ClaimInput, ClaimResult } from '../port/payment.ts';
import { claimedRow, heldRow, notChargedRow } from '../receipt.ts';
import { keyInfo } from '../smallRows.ts';
import { checkSchema } from './applySchema.ts';
import { type CommitReport, groupCommit } from './groupCommit.ts';
import { copyNotes } from './ledgerCopy.ts';
import { openDatabase } from './openDatabase.ts';
import { ownBytes, ownClaim, ownReceipt } from './ownBytes.ts';
import { readFigures } from './readFigures.ts';
import { type Reads, sqliteReads } from './reads.ts';
import { type SpawnWriter, threadWriter } from './spawnWriter.ts';
import { sqliteCheck, sqliteExport } from './sqliteBooks.ts';
import { sqliteDay } from './sqliteDay.ts';
import { sqliteStores } from './sqliteStores.ts';

/**
 * The embedded ledger (PAYMENTS 8.B): one file, one writer thread with group commit, one read-only connection
 * on this thread. `onFatal` has to end the process (P8.10). `splitClaim` puts T2 and T3 into two commits and runs
 * in between: the situation a crash leaves behind (P8.22).
 */
export function sqliteLedger(o: {
  path: string;
  time: LedgerTime;
  log: LedgerLog;
  onFatal: (error: Error) => void;
  onCommit?: (report: CommitReport) => void;
  spawn?: SpawnWriter;
  splitClaim?: () => Promise<void>;
}): Ledger {
  const spawn = o.spawn ?? threadWriter({ path: o.path });
  const writes = groupCommit({ spawn, time: o.time, log: o.log, onFatal: o.onFatal, onCommit: o.onCommit });
  const listeners = idListeners();
  const mark = markKeeper({
    path: `${o.path}.mark`,
    newestEvent: async () => read().newestEvent(),
    copyId: async () => (reader === null ? null : (copyNotes(reader.database)?.id ?? null)),
    after: o.time.after,
    onRestored: (known, newest) =>
      o.log({ level: 'error', event: 'ledger_restored_copy', fields: { known, newest } }),
  });
  let reader: { readonly database: DatabaseSync; readonly reads: Reads } | null = null;

  function read(): Reads {
    if (reader !== null) return reader.reads;
    throw new Error('the ledger is not open');
  }

  function refuseRestored(): void {
    if (mark.restored) throw restoredCopy();
  }

  async function claim(input: ClaimInput): Promise<ClaimResult> {
    refuseRestored();
    const own = ownClaim(input);
    const won: ClaimResult = { won: true, receipt: claimedRow(input) };
    try {
      if (o.splitClaim === undefined) {
        const outcome = await writes.call('claim', own);
        return outcome === 'won' ? won : outcome;
      }
      const outcome = await writes.call('claimOnly', own);
      if (outcome !== 'won') return outcome;
      await o.splitClaim();
      await writes.call('claimNext', own);
      return won;
    } catch (error) {
      // the outcome of its batch is unknown: what can be read back was committed (P8.10)
      const found = isUnknownOutcome(error) ? read().claim(own.claimKey) : null;
      if (found === null) throw error;
      if (found.receipt.receiptId === input.receipt.receiptId) return won;
      return { won: false, conflict: null, ...found };
    }
  }

  const keys: KeyAdmin = {
    create: async (key) => keyCreated(await writes.submit({ kind: 'create_key', key })),
    records: async () => read().keys(),
    list: async () => read().keys().map(keyInfo),
    revoke: async (key) => keyRevoked(await writes.submit({ kind: 'revoke_key', ...key })),
    noteUsed: (uses) => {
      for (const { keyId, atMs } of uses) writes.handOver({ kind: 'key_used', keyId, atMs });
    },
  };

  return {
    keys,
    ...sqliteStores({ writes, read, nowMs: o.time.nowMs, tell: listeners.tell }),
    open: async () => {
      await writes.open();
      let database: DatabaseSync | null = null;
      try {
        database = openDatabase({ path: o.path, mode: 'read' });
        checkSchema(database);
        reader = { database, reads: sqliteReads(database) };
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
    findClaim: async (claimKey) => read().claim(claimKey),
    findUndelivered: async (q) => read().undelivered({ ...q, nowMs: o.time.nowMs() }),
    findReceipt: async (receiptId) => read().receipt(receiptId),
    findTransfer: async (id) => read().receiptOfTransfer(id),
    journal: async (receiptId) => read().journal(receiptId),
    claim,
    transition: async (transition) => {
      const moved = await writes.call('transition', transition);
      if (moved) listeners.tell(transition.receiptId);
      return moved;
    },
    noteUnknown: async (outcome) => {
      const noted = await writes.call('noteUnknown', { ...outcome, claimKey: ownBytes(outcome.claimKey) });
      if (noted) listeners.tell(read().claim(outcome.claimKey)?.receipt.receiptId ?? '');
      return noted;
    },
    noteTx: async (claimKey, txHash) => {
      const atMs = o.time.nowMs();
      await writes.call('noteTx', { claimKey: ownBytes(claimKey), txHash, atMs });
    },
    renew: (r) => {
      const input = { ...r, claimKeys: r.claimKeys.map(ownBytes) };
      writes.handOver({ kind: 'call', name: 'renew', input });
    },
    noteNotCharged: (receipt) =>
      writes.handOverReceipt({ kind: 'receipt', receipt: ownReceipt(receipt), delivery: 'pending' }),
    insertNotCharged: async (receipt, idem) => {
      const nowMs = o.time.nowMs();
      const input = { receipt: ownReceipt(receipt), idem: ownReceipt(idem), nowMs };
      const outcome = await writes.call('insertNotCharged', input);
      return outcome === 'stored' ? notChargedRow(receipt) : outcome;
    },
    hold: async (hold) => {
      refuseRestored();
      const idem = hold.idem === null ? null : ownReceipt(hold.idem);
      const input = { ...hold, idem, receipt: ownReceipt(hold.receipt), nowMs: o.time.nowMs() };
      const outcome = await writes.call('hold', input);
      return outcome.kind === 'held' ? { ...outcome, receipt: heldRow(hold) } : outcome;
    },
    endHold: (debitId, to) =>
      neverUnhandled(writes.call('endHold', { debitId, to, atMs: o.time.nowMs() }, 'soon')),
    delivered: (receiptId, delivery) => {
      const waiting = writes.waitingReceipt(receiptId);
      // a receipt still in the queue is inserted with its final state: one statement instead of two
      if (waiting !== null) waiting.delivery = delivery;
      else writes.handOver({ kind: 'delivery', receiptId, delivery });
    },
    replayed: (receiptId) => writes.handOver({ kind: 'call', name: 'replayed', input: receiptId }),
    takeDue: (q) => writes.call('takeDue', { ...q, nowMs: o.time.nowMs() }),
    noteCheck: (note) => writes.call('noteCheck', { ...note, claimKey: ownBytes(note.claimKey) }),
    clock: async () => o.time.nowMs(),
    sweep: (atMs = o.time.nowMs()) => writes.call('sweep', atMs),
    queuedExposure: async (payerIdentity) => read().exposure(payerIdentity),
    onReceipt: listeners.add,
    export: (range) => sqliteExport({ path: o.path, ...range }),
    check: async () => sqliteCheck(o.path),
    overview: async () => read().overview(),
    figures: (asked) => readFigures({ path: o.path, ...asked }),
    day: async (asked) => sqliteDay({ path: o.path, ...asked }),
    restored: async () => {
      if (!mark.restored || reader === null) return null;
      const newest = reader.database.prepare('SELECT coalesce(max(created_ms), 0) AS ms FROM payments').get();
      const sinceMs = Math.max(Number(newest?.['ms']), copyNotes(reader.database)?.copiedMs ?? 0);
      return { sinceMs: sinceMs === 0 ? null : sinceMs };
    },
    acceptRestored: (as) => mark.accept(as),
  };
}

function isUnknownOutcome(error: unknown): boolean {
  return error instanceof IssuerError && error.code === 'store_unwritable';
}

function keyCreated(word: unknown): 'created' | 'key_id_taken' | 'unknown_predecessor' {
  if (word === 'created' || word === 'key_id_taken' || word === 'unknown_predecessor') return word;
  throw new Error(`the writer answered create_key with ${String(word)}`);
}

function keyRevoked(word: unknown): 'revoked' | 'already_revoked' | 'unknown' {
  if (word === 'revoked' || word === 'already_revoked' || word === 'unknown') return word;
  throw new Error(`the writer answered revoke_key with ${String(word)}`);
}
