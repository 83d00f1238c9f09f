import type { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import type { LedgerFailure, LedgerLog, LedgerTime } from '../../port/ledger.ts';
import type { UnchargedReceipt } from '../../rows/receipt.ts';
import { refusal } from '../../sharedMethods.ts';
import {
  endsMoney,
  type Operation,
  type OperationResult,
  type SpawnWriter,
  unavailable,
  type WriteObstacle,
  type WriterHandle,
} from './writerProtocol.ts';

/** Callers that came with one commit, from which on the next one waits for as many, and how long at most. */
const commitDelayBounds = { callers: 4, waitMs: 2 } as const;

/**
 * A commit costs nearly the same however many writes it carries. Where callers arrive in groups, the rest of a group is awaited
 * briefly, as PostgreSQL does with `commit_delay` and `commit_siblings`; a lone caller never waits (P8.7).
 */
type CommitDelay = {
  /** Whether a commit for this many callers waits; `over` is called when the wait ends by the clock. */
  awaits(callers: number, over: () => void): boolean;
  /** A commit took this many callers. */
  committed(callers: number): void;
  stop(): void;
};

/** No caller waits yet. */
export function commitDelay(time: LedgerTime): CommitDelay {
  let last = 0;
  let waited = false;
  let cancel: (() => void) | null = null;

  function stop(): void {
    cancel?.();
    cancel = null;
  }

  return {
    awaits: (callers, over) => {
      if (waited || last < commitDelayBounds.callers || callers >= last) return false;
      cancel ??= time.after(commitDelayBounds.waitMs, () => {
        cancel = null;
        waited = true;
        over();
      });
      return true;
    },
    committed: (callers) => {
      if (cancel !== null) stop();
      waited = false;
      last = callers;
    },
    stop,
  };
}

/** Bounds of P8.7, P8.8, P8.10 and P8.12; times in milliseconds. */
export const groupCommitBounds = {
  operationsPerCommit: 512,
  waiting: 10_000,
  // leaves room for the commit itself inside the promised 100
  lingerMs: 80,
  slowMs: 2000,
  retryMs: 1000,
  restartWindowMs: 60_000,
  maintainMs: 5000,
  checkpointMs: 60_000,
  lowDiskBytes: 256 * 1024 * 1024,
} as const;

/** One operation on its way to the disk. `caller` is null when it is not awaited. */
export type Waiting = {
  readonly operation: Operation;
  readonly sinceMs: number;
  readonly caller: { resolve(value: unknown): void; reject(error: Error): void } | null;
  /** its caller waits for the next commit; everything else waits for company */
  readonly urgent: boolean;
};

/** First in, first out: what is not yet with the writer. */
type OperationQueue = {
  entries: Waiting[];
  /** how many of them are urgent */
  urgent: number;
  /** the uncharged receipts among them by id */
  readonly receipts: Map<string, UnchargedReceipt>;
};

/** One commit as it happened, for metrics and benchmarks. */
export type CommitReport = { readonly operations: number; readonly commitMs: number };

export type GroupCommitDeps = {
  readonly spawn: SpawnWriter;
  readonly time: LedgerTime;
  readonly log: LedgerLog;
  readonly onFatal: (error: Error) => void;
  readonly onCommit?: ((report: CommitReport) => void) | undefined;
};

/** Where the writer stands. Only an idle one is sent something; `held` waits for the next attempt of a rolled back batch. */
type Phase =
  | { readonly kind: 'closed' | 'idle' | 'busy' | 'restarting' | 'dead' }
  | { readonly kind: 'starting'; readonly opening: PromiseWithResolvers<void> }
  | { readonly kind: 'held'; readonly cancelRetry: () => void };

/** All that changes while a queue in front of one writer lives. */
export type GroupCommitState = GroupCommitDeps & {
  /** what is not yet with the writer */
  readonly queue: OperationQueue;
  phase: Phase;
  /** set from the first `close` on */
  closing: PromiseWithResolvers<void> | null;
  readonly writer: {
    handle: WriterHandle | null;
    /** the batch it commits now */
    running: Waiting[];
    restartedMs: number;
    checkpointedMs: number;
    cancelMaintenance: () => void;
  };
  /** when the next batch goes */
  readonly gathering: {
    /** for callers that come in groups */
    readonly delay: CommitDelay;
    /** cancels the wait of what was handed over; null while nothing lingers */
    cancelLinger: (() => void) | null;
    lingerOver: boolean;
    turnScheduled: boolean;
  };
  /** what hinders writing, as it was logged last */
  readonly condition: { obstacle: WriteObstacle | null; lowDisk: boolean; slow: boolean };
};

/** A queue that is not open. */
export function closedQueue(deps: GroupCommitDeps): GroupCommitState {
  return {
    ...deps,
    queue: { entries: [], urgent: 0, receipts: new Map() },
    phase: { kind: 'closed' },
    closing: null,
    writer: {
      handle: null,
      running: [],
      restartedMs: Number.NEGATIVE_INFINITY,
      checkpointedMs: 0,
      cancelMaintenance: () => {},
    },
    gathering: {
      delay: commitDelay(deps.time),
      cancelLinger: null,
      lingerOver: false,
      turnScheduled: false,
    },
    condition: { obstacle: null, lowDisk: false, slow: false },
  };
}

/** Operations that are not durable yet. */
export function depth({ writer, queue }: GroupCommitState): number {
  return writer.running.length + queue.entries.length;
}

/** Why the ledger cannot write; null when it can. */
export function failure({ phase: { kind }, closing, condition }: GroupCommitState): LedgerFailure | null {
  if (kind === 'closed' || kind === 'starting' || closing !== null) return 'not_open';
  if (kind === 'restarting') return 'writer_restarting';
  if (kind === 'dead') return 'writer_dead';
  return condition.obstacle ?? (condition.lowDisk ? 'disk_low' : null);
}

/** Why nothing new may begin (P8.8, P8.12); null when it may. */
export function refused(state: GroupCommitState): IssuerError | null {
  const why = failure(state);
  if (why !== null) return refusal('settlement_unavailable', `The ledger cannot write (${why}).`);
  if (depth(state) < groupCommitBounds.waiting) return null;
  return refusal('overloaded', 'The ledger has too much to write.');
}

/** The end of running money is written while the disk is low, and tried while it is full: for the reserve (P8.12). */
export function cannotWrite(state: GroupCommitState, operation: Operation): IssuerError | null {
  const why = failure(state);
  if (why === null || why === 'disk_low') return null;
  if (why === 'disk_full' && endsMoney(operation)) return null;
  return unavailable(`The ledger cannot write (${why}).`);
}

/** Whether an operation waits longer than a commit may take. */
export function isSlow({ writer, queue, time }: GroupCommitState): boolean {
  const oldest = writer.running[0] ?? queue.entries[0];
  return oldest !== undefined && time.nowMs() - oldest.sinceMs > groupCommitBounds.slowMs;
}

/** Notes the free space, where it was looked up, and whether writing is slow; logs what became worse. */
export function note(state: GroupCommitState, freeBytes: number | null): void {
  const { condition, log } = state;
  const low = freeBytes === null ? condition.lowDisk : freeBytes < groupCommitBounds.lowDiskBytes;
  if (low && !condition.lowDisk) log({ level: 'error', event: 'ledger_disk_low', fields: { freeBytes } });
  const slow = isSlow(state);
  if (slow && !condition.slow)
    log({ level: 'warn', event: 'ledger_slow', fields: { waiting: depth(state) } });
  condition.lowDisk = low;
  condition.slow = slow;
}

/** Puts an entry behind everything that waits. */
export function push(queue: OperationQueue, entry: Waiting): void {
  queue.entries.push(entry);
  if (entry.urgent) queue.urgent += 1;
  if (entry.operation.kind === 'receipt') queue.receipts.set(entry.operation.receiptId, entry.operation);
}

/** Removes and returns the oldest `limit` entries. */
export function take(queue: OperationQueue, limit: number): Waiting[] {
  const taken = queue.entries.splice(0, limit);
  for (const { urgent, operation } of taken) {
    if (urgent) queue.urgent -= 1;
    if (operation.kind === 'receipt') queue.receipts.delete(operation.receiptId);
  }
  return taken;
}

/** Puts entries in front of everything that waits. */
export function putBack(queue: OperationQueue, front: readonly Waiting[]): void {
  const behind = take(queue, Number.POSITIVE_INFINITY);
  for (const entry of front) push(queue, entry);
  for (const entry of behind) push(queue, entry);
}

/** Kind and id of an operation for the log; never a hash or a label. */
export function subjectOf(operation: Operation): { kind: string; subject: string } {
  switch (operation.kind) {
    case 'receipt':
    case 'delivery':
      return { kind: operation.kind, subject: operation.receiptId };
    case 'call':
    case 'cold':
      return { kind: operation.name, subject: subjectOfCall(operation.input) };
    case 'key_used':
      return { kind: operation.kind, subject: operation.keyId };
  }
}

// ids only: an input may hold hashes and signatures
function subjectOfCall(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  for (const name of ['receiptId', 'debitId', 'grantId', 'jobId', 'checkoutId', 'keyId']) {
    const id = (input as Readonly<Record<string, unknown>>)[name];
    if (typeof id === 'string' || typeof id === 'number') return String(id);
  }
  const { receipt } = input as { receipt?: { receiptId?: unknown } };
  return typeof receipt?.receiptId === 'string' ? receipt.receiptId : '';
}

/** Resolves or rejects a caller with the result of its operation; null is the common `stored`. */
export function answerCaller({ operation, caller }: Waiting, result: OperationResult | null): void {
  if (result === null) caller?.resolve('stored');
  else if (result.ok) caller?.resolve(result.value);
  else caller?.reject(new Error(`the ledger refused ${operation.kind}: ${result.message}`));
}
