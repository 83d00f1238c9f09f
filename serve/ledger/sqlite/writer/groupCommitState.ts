import type { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import type { LedgerFailure, LedgerLog, LedgerTime } from '../../port/ledger.ts';
import { type CommitDelay, commitDelay } from './commitDelay.ts';
import { groupCommitBounds } from './groupCommitBounds.ts';
import { endsMoney } from './operationKinds.ts';
import type { OperationQueue, Waiting } from './operationQueue.ts';
import type { SpawnWriter, WriterHandle } from './spawnWriter.ts';
import { refusal, unavailable } from './writeErrors.ts';
import type { Operation, WriteObstacle } from './writerProtocol.ts';

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

/** Notes the free space after a commit or a maintenance, and logs when it becomes low. */
export function noteSpace({ condition, log }: GroupCommitState, freeBytes: number): void {
  const low = freeBytes < groupCommitBounds.lowDiskBytes;
  if (low && !condition.lowDisk) log({ level: 'error', event: 'ledger_disk_low', fields: { freeBytes } });
  condition.lowDisk = low;
}

/** Whether an operation waits longer than a commit may take. */
export function isSlow({ time }: GroupCommitState, oldest: Waiting | undefined): boolean {
  return oldest !== undefined && time.nowMs() - oldest.sinceMs > groupCommitBounds.slowMs;
}

/** Notes whether writing is slow by its oldest operation, and logs when it becomes so. */
export function noteSlow(state: GroupCommitState, oldest: Waiting | undefined): void {
  const slow = isSlow(state, oldest);
  if (slow && !state.condition.slow)
    state.log({ level: 'warn', event: 'ledger_slow', fields: { waiting: depth(state) } });
  state.condition.slow = slow;
}
