import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import type { LedgerFailure, LedgerHealth, LedgerLog, LedgerTime } from '../../port/ledger.ts';
import type { ColdResult, WriteCold } from '../../writes/coldWrites.ts';
import type { CallName, WriterCalls } from '../calls/writerCalls.ts';
import { commitDelay } from './commitDelay.ts';
import { groupCommitBounds } from './groupCommitBounds.ts';
import { begins, endsMoney } from './operationKinds.ts';
import {
  answerCaller,
  operationQueue,
  type ReceiptOperation,
  subjectOf,
  type Waiting,
} from './operationQueue.ts';
import type { SpawnWriter, WriterHandle } from './spawnWriter.ts';
import { refusal, unavailable } from './writeErrors.ts';
import type { FromWriter, Operation, WriteObstacle } from './writerProtocol.ts';

/** One commit as it happened, for metrics and benchmarks. */
export type CommitReport = { readonly operations: number; readonly commitMs: number };

type GroupCommitDeps = {
  readonly spawn: SpawnWriter;
  readonly time: LedgerTime;
  readonly log: LedgerLog;
  readonly onFatal: (error: Error) => void;
  readonly onCommit?: ((report: CommitReport) => void) | undefined;
};

type State = 'closed' | 'starting' | 'idle' | 'busy' | 'held' | 'restarting' | 'dead';

/** The queue in front of one writer: what waits, what is being committed, and what became of it (P8.7–P8.12). */
export type GroupCommit = {
  open(): Promise<void>;
  close(): Promise<void>;
  /** Runs one operation with the next commit; resolves when it is durable. */
  submit(operation: Operation): Promise<unknown>;
  /** Runs one call with the next commit; a beginning one is refused like a receipt (P8.8, P8.12). */
  call<Name extends CallName>(
    name: Name,
    input: Parameters<WriterCalls[Name]>[0],
    urgency?: 'now' | 'soon',
  ): Promise<ReturnType<WriterCalls[Name]>>;
  /** Runs one cold write with the next commit, refused like a call. */
  cold: WriteCold;
  /** Takes one operation that is not awaited; durable within 100 ms. */
  handOver(operation: Operation): void;
  /** Takes a receipt over, or throws `overloaded` or `settlement_unavailable` and takes nothing (P6.6). */
  handOverReceipt(operation: ReceiptOperation): void;
  /** The receipt's operation while it waits here and is not yet with the writer, else null. */
  waitingReceipt(receiptId: string): ReceiptOperation | null;
  health(): LedgerHealth;
};

/**
 * Builds the queue. `onFatal` is called when the writer died twice within a minute: the process has to end
 * (P8.10). What waits then is rejected or, when no caller waits for it, counted in the log.
 */
export function groupCommit({ spawn, time, log, onFatal, onCommit }: GroupCommitDeps): GroupCommit {
  const queue = operationQueue();
  const callers = commitDelay(time);
  let state: State = 'closed';
  let writer: WriterHandle | null = null;
  let running: Waiting[] = [];
  let obstacle: WriteObstacle | null = null;
  let lowDisk = false;
  let lingerOver = false;
  let turnScheduled = false;
  let slowReported = false;
  let lastRestartMs = Number.NEGATIVE_INFINITY;
  let lastCheckpointMs = 0;
  let opening: { resolve(): void; reject(error: Error): void } | null = null;
  let closing: PromiseWithResolvers<void> | null = null;
  const timers = { linger: noTimer, retry: noTimer, maintain: noTimer };

  function start(): void {
    // a writer that was replaced may still speak: only the newest is listened to
    const mine: WriterHandle = spawn({
      message: (message) => {
        if (writer === mine) onMessage(message);
      },
      dead: (error) => {
        if (writer === mine) onDeath(error);
      },
    });
    writer = mine;
  }

  function onMessage(message: FromWriter): void {
    switch (message.kind) {
      case 'ready':
        noteSpace(message.freeBytes);
        opening?.resolve();
        opening = null;
        becomeIdle();
        return;
      case 'refused':
        onRefused(new IssuerError(message));
        return;
      case 'committed':
        onCommitted(message);
        return;
      case 'rolled_back':
        onRolledBack(message);
        return;
      case 'maintained':
        noteSpace(message.freeBytes);
        becomeIdle();
        return;
      case 'closed':
        state = 'closed';
        closing?.resolve();
    }
  }

  function becomeIdle(): void {
    state = 'idle';
    flush();
  }

  function flush(): void {
    if (state !== 'idle') return;
    if (queue.length === 0 && closing !== null) {
      stopTimers();
      state = 'busy';
      writer?.post({ kind: 'close' });
      return;
    }
    const full = queue.length >= groupCommitBounds.operationsPerCommit;
    if (queue.callers === 0 && !lingerOver && !full && closing === null) return;
    if (queue.length === 0) return;
    const now = full || lingerOver || closing !== null;
    if (now || !callers.awaits(queue.callers, flush)) commit();
  }

  function commit(): void {
    callers.committed(queue.callers);
    running = queue.take(groupCommitBounds.operationsPerCommit);
    // a remainder has lingered as long as its head
    if (queue.length === 0) {
      lingerOver = false;
      timers.linger();
      timers.linger = noTimer;
    }
    state = 'busy';
    writer?.post({ kind: 'batch', operations: running.map((entry) => entry.operation) });
  }

  function onCommitted(message: Extract<FromWriter, { kind: 'committed' }>): void {
    const batch = running;
    running = [];
    noteSpace(message.freeBytes);
    noteSlow(batch[0]);
    if (obstacle !== null) log({ level: 'info', event: 'ledger_writes_again', fields: { obstacle } });
    obstacle = null;
    batch.forEach((entry, i) => {
      const result = message.results[i] ?? null;
      if (result?.ok === false) {
        const fields = { ...subjectOf(entry.operation), code: result.code };
        log({ level: 'error', event: 'ledger_operation_refused', fields });
      }
      answerCaller(entry, result);
    });
    onCommit?.({ operations: batch.length, commitMs: message.commitMs });
    becomeIdle();
  }

  function onRolledBack(message: Extract<FromWriter, { kind: 'rolled_back' }>): void {
    if (obstacle === null) {
      const fields = { obstacle: message.obstacle, code: message.code, waiting: depth() };
      log({ level: 'error', event: 'ledger_cannot_write', fields });
    }
    obstacle = message.obstacle;
    const why = 'The ledger cannot write: its disk is full or another program holds its file.';
    // nothing of it is stored: work that would have begun is refused as such
    keepUncharged((operation) =>
      begins(operation) ? refusal('settlement_unavailable', why) : unavailable(why),
    );
    if (closing !== null) {
      loseWaiting(obstacle);
      becomeIdle();
      return;
    }
    state = 'held';
    timers.retry = time.after(groupCommitBounds.retryMs, () => {
      state = 'idle';
      // an empty batch finds out whether the file can be locked again
      commit();
    });
  }

  function onRefused(error: IssuerError): void {
    if (opening === null) {
      end(error);
      return;
    }
    state = 'closed';
    stopTimers();
    opening.reject(error);
    opening = null;
  }

  function onDeath(error: Error): void {
    writer = null;
    if (opening !== null) {
      state = 'closed';
      stopTimers();
      opening.reject(error);
      opening = null;
      return;
    }
    if (time.nowMs() - lastRestartMs < groupCommitBounds.restartWindowMs) {
      end(error);
      return;
    }
    lastRestartMs = time.nowMs();
    log({
      level: 'error',
      event: 'ledger_writer_died',
      fields: { message: error.message, waiting: depth() },
    });
    keepUncharged(() => unavailable('The ledger writer died; whether this change was stored is unknown.'));
    timers.retry();
    lingerOver = true;
    state = 'restarting';
    start();
  }

  function end(error: Error): void {
    state = 'dead';
    writer = null;
    stopTimers();
    keepUncharged(() => unavailable('The ledger writer died twice within a minute.'));
    loseWaiting('writer_dead');
    closing?.resolve();
    onFatal(error);
  }

  /** Rejects what has a caller; everything else keeps its place in front, to be written again (P8.10). */
  function keepUncharged(failed: (operation: Operation) => IssuerError): void {
    const all = [...running, ...queue.take(Number.POSITIVE_INFINITY)];
    running = [];
    for (const entry of all) entry.caller?.reject(failed(entry.operation));
    queue.putBack(all.filter((entry) => entry.caller === null));
  }

  function loseWaiting(reason: LedgerFailure): void {
    const count = queue.take(Number.POSITIVE_INFINITY).length;
    if (count > 0) log({ level: 'error', event: 'ledger_operations_lost', fields: { reason, count } });
  }

  function noteSpace(freeBytes: number): void {
    const low = freeBytes < groupCommitBounds.lowDiskBytes;
    if (low && !lowDisk) log({ level: 'error', event: 'ledger_disk_low', fields: { freeBytes } });
    lowDisk = low;
  }

  function isSlow(oldest: Waiting | undefined): boolean {
    return oldest !== undefined && time.nowMs() - oldest.sinceMs > groupCommitBounds.slowMs;
  }

  function noteSlow(oldest: Waiting | undefined): void {
    const slow = isSlow(oldest);
    if (slow && !slowReported) log({ level: 'warn', event: 'ledger_slow', fields: { waiting: depth() } });
    slowReported = slow;
  }

  function maintain(): void {
    timers.maintain = time.after(groupCommitBounds.maintainMs, maintain);
    noteSlow(running[0] ?? queue.oldest);
    if (state !== 'idle') return;
    const checkpoint = time.nowMs() - lastCheckpointMs >= groupCommitBounds.checkpointMs;
    if (checkpoint) lastCheckpointMs = time.nowMs();
    state = 'busy';
    writer?.post({ kind: 'maintain', checkpoint });
  }

  function stopTimers(): void {
    for (const name of ['linger', 'retry', 'maintain'] as const) {
      timers[name]();
      timers[name] = noTimer;
    }
    callers.stop();
  }

  function depth(): number {
    return running.length + queue.length;
  }

  function failure(): LedgerFailure | null {
    if (state === 'closed' || state === 'starting' || closing !== null) return 'not_open';
    if (state === 'restarting') return 'writer_restarting';
    if (state === 'dead') return 'writer_dead';
    return obstacle ?? (lowDisk ? 'disk_low' : null);
  }

  /** Why nothing new may begin (P8.8, P8.12); null when it may. */
  function refused(): IssuerError | null {
    const why = failure();
    if (why !== null) return refusal('settlement_unavailable', `The ledger cannot write (${why}).`);
    if (depth() < groupCommitBounds.waiting) return null;
    return refusal('overloaded', 'The ledger has too much to write.');
  }

  /** The end of running money is written while the disk is low, and tried while it is full: for the reserve (P8.12). */
  function cannotWrite(operation: Operation): IssuerError | null {
    const why = failure();
    if (why === null || why === 'disk_low') return null;
    if (why === 'disk_full' && endsMoney(operation)) return null;
    return unavailable(`The ledger cannot write (${why}).`);
  }

  function submit(operation: Operation, urgency: 'now' | 'soon' = 'now'): Promise<unknown> {
    const why = cannotWrite(operation);
    if (why !== null) return Promise.reject(why);
    return new Promise((resolve, reject) => {
      const entry = { operation, sinceMs: time.nowMs(), caller: { resolve, reject } };
      if (obstacle === 'disk_full') {
        // the next try takes it along, before what can wait
        queue.putBack([entry]);
      } else if (urgency === 'soon') {
        push({ ...entry, patient: true });
      } else {
        queue.push(entry);
        flushAfterTurn();
      }
    });
  }

  function admit(operation: Operation, urgency: 'now' | 'soon'): Promise<unknown> {
    const why = begins(operation) ? refused() : null;
    return why === null ? submit(operation, urgency) : Promise.reject(why);
  }

  function handOver(operation: Operation): void {
    push({ operation, sinceMs: time.nowMs(), caller: null });
  }

  function push(entry: Waiting): void {
    queue.push(entry);
    if (queue.length >= groupCommitBounds.operationsPerCommit) {
      flushAfterTurn();
    } else if (timers.linger === noTimer) {
      timers.linger = time.after(groupCommitBounds.lingerMs, () => {
        timers.linger = noTimer;
        lingerOver = true;
        flush();
      });
    }
  }

  function flushAfterTurn(): void {
    if (turnScheduled) return;
    turnScheduled = true;
    setImmediate(() => {
      turnScheduled = false;
      flush();
    });
  }

  return {
    open: () =>
      new Promise((resolve, reject) => {
        opening = { resolve, reject };
        state = 'starting';
        lastCheckpointMs = time.nowMs();
        timers.maintain = time.after(groupCommitBounds.maintainMs, maintain);
        start();
      }),
    close: () => {
      if (closing !== null) return closing.promise;
      closing = Promise.withResolvers<void>();
      // one last attempt of what a full disk holds back
      timers.retry();
      if (state === 'held') state = 'idle';
      if (state === 'closed' || state === 'dead') closing.resolve();
      else flush();
      return closing.promise;
    },
    submit,
    handOver,
    call: (name, input, urgency = 'now') =>
      admit({ kind: 'call', name, input }, urgency) as Promise<ReturnType<WriterCalls[typeof name]>>,
    cold: (name, input) =>
      admit({ kind: 'cold', name, input, nowMs: time.nowMs() }, 'now') as Promise<ColdResult<typeof name>>,
    handOverReceipt: (operation) => {
      const why = refused();
      if (why !== null) throw why;
      handOver(operation);
    },
    waitingReceipt: (receiptId) => queue.receipt(receiptId),
    health: () => {
      const reason = failure();
      const slow = isSlow(running[0] ?? queue.oldest);
      return { status: reason === null ? 'ok' : 'failing', reason, waiting: depth(), slow };
    },
  };
}

function noTimer(): void {}
