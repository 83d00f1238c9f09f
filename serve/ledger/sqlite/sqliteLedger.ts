import type { DatabaseSync } from 'node:sqlite';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { type MarkKeeper, markKeeper } from '../ledgerMark.ts';
import type { Ledger } from '../port/ledger.ts';
import type { ClaimInput, ClaimResult } from '../port/payment.ts';
import { day } from '../reads/day.ts';
import { claimOf, newestClaimMs, newestEvent, queuedMicro } from '../reads/receiptReads.ts';
import { claimedRow, heldRow, notChargedRow, unchargedReceipt } from '../rows/receipt.ts';
import { idListeners, neverUnhandled, sharedMethods } from '../sharedMethods.ts';
import type { Steps } from '../steps/steps.ts';
import { detachedBytes, detachedClaim, detachedInput, detachedReceipt } from './calls/inserts.ts';
import { copyNotes } from './copy/ledgerCopies.ts';
import { inSnapshot, readFigures, sqliteCheck, sqliteExport } from './reads/sqliteBooks.ts';
import { stepRunner } from './runSteps.ts';
import { checkSchema } from './schema/applySchema.ts';
import { openDatabase } from './schema/openDatabase.ts';
import { groupCommit } from './writer/groupCommit.ts';
import type { GroupCommitDeps } from './writer/groupCommitState.ts';
import { type SpawnWriter, threadWriter } from './writer/writerProtocol.ts';

type SqliteInput = Omit<GroupCommitDeps, 'spawn'> & { readonly path: string; readonly spawn?: SpawnWriter };

/** What the methods of one ledger share. */
type SqliteState = Pick<SqliteInput, 'path' | 'time'> & {
  readonly writes: ReturnType<typeof groupCommit>;
  readonly listeners: ReturnType<typeof idListeners>;
  readonly mark: MarkKeeper;
  /** the read-only connection of this thread (P8.6), while the ledger is open: it never waits for the writer */
  reader: { readonly database: DatabaseSync; readonly run: ReturnType<typeof stepRunner> } | null;
};

/** A ledger that is not open. */
function closedLedger({ path, time, log, onFatal, onCommit, spawn }: SqliteInput): SqliteState {
  const state: SqliteState = {
    path,
    time,
    writes: groupCommit({ spawn: spawn ?? threadWriter({ path }), time, log, onFatal, onCommit }),
    listeners: idListeners(),
    mark: markKeeper({
      path: `${path}.mark`,
      newestEvent: async () => read(state, newestEvent()),
      copyId: async () => (state.reader === null ? null : (copyNotes(state.reader.database)?.id ?? null)),
      after: time.after,
      log,
    }),
    reader: null,
  };
  return state;
}

function read<T>({ reader, time }: SqliteState, steps: Steps<T>): T {
  if (reader === null) throw new Error('the ledger is not open');
  return reader.run(steps, time.nowMs());
}

async function open(state: SqliteState): Promise<void> {
  const { path, writes, mark } = state;
  await writes.open();
  let database: DatabaseSync | null = null;
  try {
    database = openDatabase({ path, mode: 'read' });
    checkSchema(database);
    state.reader = { database, run: stepRunner(database) };
    await mark.start();
  } catch (error) {
    database?.close();
    state.reader = null;
    await writes.close();
    throw error;
  }
}

async function close(state: SqliteState): Promise<void> {
  if (state.reader !== null) {
    await state.mark.stop();
    // a reader left open would keep the last checkpoint from truncating the WAL
    state.reader.database.close();
    state.reader = null;
  }
  await state.writes.close();
}

async function claim(state: SqliteState, input: ClaimInput): Promise<ClaimResult> {
  state.mark.refuseRestored();
  const own = detachedClaim(input);
  const won: ClaimResult = { won: true, receipt: claimedRow(input) };
  try {
    const outcome = await state.writes.call('claim', own);
    return outcome === 'won' ? won : outcome;
  } catch (error) {
    // the outcome of its batch is unknown: what can be read back was committed (P8.10)
    const isUnknown = error instanceof IssuerError && error.code === 'store_unwritable';
    const found = isUnknown ? read(state, claimOf(own.claimKey)) : null;
    if (found === null) throw error;
    if (found.receipt.receiptId === input.receipt.receiptId) return won;
    return { won: false, conflict: null, ...found };
  }
}

/**
 * A sum over all rows that took a while is kept for a hundred times as long, at most a second: it then costs one
 * hundredth of the time, and a bound on queued payments may be that late (P3.11). Short sums are computed each time.
 */
function keptSum(make: () => number): () => number {
  let kept = 0;
  let untilMs = Number.NEGATIVE_INFINITY;
  return () => {
    const startMs = performance.now();
    if (startMs < untilMs) return kept;
    kept = make();
    const tookMs = performance.now() - startMs;
    untilMs = tookMs < 1 ? Number.NEGATIVE_INFINITY : startMs + Math.min(1000, 100 * tookMs);
    return kept;
  };
}

/**
 * The embedded ledger (PAYMENTS 8.B): one file, one writer thread with group commit, one read-only connection
 * on this thread. `onFatal` has to end the process (P8.10).
 */
export function sqliteLedger(input: SqliteInput): Ledger {
  const state = closedLedger(input);
  const { path, time, writes, listeners, mark } = state;
  const totalMicro = keptSum(() => read(state, queuedMicro(null)));
  const shared = sharedMethods({
    read: async (steps) => read(state, steps),
    write: (name, asked) => writes.cold(name, detachedInput(asked)),
    time,
    moved: listeners.tell,
    totalMicro: async () => totalMicro(),
  });
  return {
    ...shared,
    keys: {
      ...shared.keys,
      noteUsed: (uses) => {
        for (const { keyId, atMs } of uses) writes.handOver({ kind: 'key_used', keyId, atMs });
      },
    },
    open: () => open(state),
    close: () => close(state),
    health: async () => {
      const health = writes.health();
      if (health.status === 'failing' || !mark.restored) return health;
      return { ...health, status: 'failing', reason: 'restored_copy' };
    },
    claim: (asked) => claim(state, asked),
    transition: async (transition) => {
      const moved = await writes.call('transition', transition);
      if (moved) listeners.tell(transition.receiptId);
      return moved;
    },
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
      const nowMs = time.nowMs();
      const input = { receipt: detachedReceipt(receipt), idem: detachedReceipt(idem), nowMs };
      const outcome = await writes.call('insertNotCharged', input);
      return outcome === 'stored' ? notChargedRow(receipt) : outcome;
    },
    hold: async (hold) => {
      mark.refuseRestored();
      const idem = hold.idem === null ? null : detachedReceipt(hold.idem);
      const input = { ...hold, idem, receipt: detachedReceipt(hold.receipt), nowMs: time.nowMs() };
      const outcome = await writes.call('hold', input);
      return outcome.kind === 'held' ? { ...outcome, receipt: heldRow(hold) } : outcome;
    },
    endHold: (debitId, to) =>
      neverUnhandled(writes.call('endHold', { debitId, to, atMs: time.nowMs() }, 'soon')),
    delivered: writes.noteDelivery,
    replayed: (receiptId) => writes.handOver({ kind: 'call', name: 'replayed', input: receiptId }),
    clock: async () => time.nowMs(),
    sweep: (atMs = time.nowMs()) => writes.call('sweep', atMs),
    onReceipt: listeners.add,
    export: (range) => sqliteExport({ path, ...range }),
    check: async () => sqliteCheck(path),
    figures: (asked) => readFigures({ path, ...asked }),
    day: async (asked) => inSnapshot(path, () => day(asked)),
    restored: async () => {
      if (!mark.restored || state.reader === null) return null;
      const sinceMs = Math.max(read(state, newestClaimMs()), copyNotes(state.reader.database)?.copiedMs ?? 0);
      return { sinceMs: sinceMs === 0 ? null : sinceMs };
    },
    acceptRestored: (as) => mark.accept(as),
  };
}
