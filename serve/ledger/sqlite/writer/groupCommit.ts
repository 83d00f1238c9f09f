import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import type { Delivery, LedgerFailure, LedgerHealth } from '../../port/ledger.ts';
import { deliveryPlace, type UnchargedReceipt } from '../../rows/receipt.ts';
import { refusal } from '../../sharedMethods.ts';
import type { ColdResult, WriteCold } from '../../writes/coldWrites.ts';
import type { CallName, WriterCalls } from '../calls/writerCalls.ts';
import {
  answerCaller,
  cannotWrite,
  closedQueue,
  depth,
  failure,
  type GroupCommitDeps,
  type GroupCommitState,
  groupCommitBounds,
  isSlow,
  note,
  push,
  putBack,
  refused,
  subjectOf,
  take,
  type Waiting,
} from './groupCommitState.ts';
import { begins, type FromWriter, type Operation, unavailable, type WriterHandle } from './writerProtocol.ts';

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
  handOverReceipt(receipt: UnchargedReceipt): void;
  /** Takes the delivery state of a receipt over; durable within 100 ms. */
  noteDelivery(receiptId: string, delivery: Delivery): void;
  health(): LedgerHealth;
};

/**
 * Builds the queue. `onFatal` is called when the writer died twice within a minute: the process has to end
 * (P8.10). What waits then is rejected or, when no caller waits for it, counted in the log.
 */
export function groupCommit(deps: GroupCommitDeps): GroupCommit {
  const state = closedQueue(deps);
  const { queue, time } = state;
  return {
    open: () => open(state),
    close: () => close(state),
    submit: (operation) => submit(state, operation, 'now'),
    handOver: (operation) => linger(state, operation),
    call: (name, input, urgency = 'now') =>
      admit(state, { kind: 'call', name, input }, urgency) as Promise<ReturnType<WriterCalls[typeof name]>>,
    cold: (name, input) =>
      admit(state, { kind: 'cold', name, input, nowMs: time.nowMs() }, 'now') as Promise<
        ColdResult<typeof name>
      >,
    handOverReceipt: (receipt) => {
      const why = refused(state);
      if (why !== null) throw why;
      linger(state, receipt);
    },
    noteDelivery: (receiptId, delivery) => {
      const waiting = queue.receipts.get(receiptId);
      // one that is still here is inserted with its final state: one statement instead of two
      if (waiting !== undefined) waiting.values[deliveryPlace] = delivery;
      else linger(state, { kind: 'delivery', receiptId, delivery });
    },
    health: () => {
      const reason = failure(state);
      const status = reason === null ? 'ok' : 'failing';
      return { status, reason, waiting: depth(state), slow: isSlow(state) };
    },
  };
}

function open(state: GroupCommitState): Promise<void> {
  const opening = Promise.withResolvers<void>();
  state.phase = { kind: 'starting', opening };
  state.writer.checkpointedMs = state.time.nowMs();
  scheduleMaintenance(state);
  start(state);
  return opening.promise;
}

function close(state: GroupCommitState): Promise<void> {
  if (state.closing !== null) return state.closing.promise;
  const closing = Promise.withResolvers<void>();
  state.closing = closing;
  // one last attempt of what a full disk holds back
  if (cancelRetry(state)) state.phase = { kind: 'idle' };
  if (state.phase.kind === 'closed' || state.phase.kind === 'dead') closing.resolve();
  else flush(state);
  return closing.promise;
}

// operations on their way to the writer

function admit(state: GroupCommitState, operation: Operation, urgency: 'now' | 'soon'): Promise<unknown> {
  const why = begins(operation) ? refused(state) : null;
  return why === null ? submit(state, operation, urgency) : Promise.reject(why);
}

function submit(state: GroupCommitState, operation: Operation, urgency: 'now' | 'soon'): Promise<unknown> {
  const why = cannotWrite(state, operation);
  if (why !== null) return Promise.reject(why);
  return new Promise((resolve, reject) => {
    const caller = { resolve, reject };
    const entry = { operation, sinceMs: state.time.nowMs(), caller, urgent: true };
    if (state.condition.obstacle === 'disk_full') {
      // the next try takes it along, before what can wait
      putBack(state.queue, [entry]);
    } else if (urgency === 'now') {
      push(state.queue, entry);
      flushAfterTurn(state);
    } else linger(state, operation, caller);
  });
}

/** Queues what waits for company: it goes with the next commit, or alone once it has lingered. */
function linger(state: GroupCommitState, operation: Operation, caller: Waiting['caller'] = null): void {
  const { queue, gathering, time } = state;
  push(queue, { operation, sinceMs: time.nowMs(), caller, urgent: false });
  if (queue.entries.length >= groupCommitBounds.operationsPerCommit) {
    flushAfterTurn(state);
  } else if (gathering.cancelLinger === null) {
    gathering.cancelLinger = time.after(groupCommitBounds.lingerMs, () => {
      gathering.cancelLinger = null;
      gathering.lingerOver = true;
      flush(state);
    });
  }
}

function stopLinger({ gathering }: GroupCommitState): void {
  gathering.cancelLinger?.();
  gathering.cancelLinger = null;
}

function flushAfterTurn(state: GroupCommitState): void {
  const { gathering } = state;
  if (gathering.turnScheduled) return;
  gathering.turnScheduled = true;
  setImmediate(() => {
    gathering.turnScheduled = false;
    flush(state);
  });
}

function flush(state: GroupCommitState): void {
  const { queue, gathering, writer, closing } = state;
  if (state.phase.kind !== 'idle') return;
  const { length } = queue.entries;
  if (length === 0 && closing !== null) {
    stopTimers(state);
    state.phase = { kind: 'busy' };
    writer.handle?.postMessage({ kind: 'close' });
    return;
  }
  const now = gathering.lingerOver || closing !== null || length >= groupCommitBounds.operationsPerCommit;
  if (length === 0 || (queue.urgent === 0 && !now)) return;
  if (now || !gathering.delay.awaits(queue.urgent, () => flush(state))) commit(state);
}

function commit(state: GroupCommitState): void {
  const { queue, gathering, writer } = state;
  gathering.delay.committed(queue.urgent);
  writer.running = take(queue, groupCommitBounds.operationsPerCommit);
  // a remainder has lingered as long as its head
  if (queue.entries.length === 0) {
    gathering.lingerOver = false;
    if (gathering.cancelLinger !== null) stopLinger(state);
  }
  state.phase = { kind: 'busy' };
  writer.handle?.postMessage({ kind: 'batch', operations: writer.running.map((entry) => entry.operation) });
}

// the writer: its start, what it answers, its death

function start(state: GroupCommitState): void {
  const { writer, spawn } = state;
  // a writer that was replaced may still send messages: only those of the newest count
  const mine: WriterHandle = spawn({
    message: (message) => {
      if (writer.handle === mine) onMessage(state, message);
    },
    dead: (error) => {
      if (writer.handle === mine) onDeath(state, error);
    },
  });
  writer.handle = mine;
}

function onMessage(state: GroupCommitState, message: FromWriter): void {
  switch (message.kind) {
    case 'ready':
      note(state, message.freeBytes);
      if (state.phase.kind === 'starting') state.phase.opening.resolve();
      break;
    case 'refused': {
      const error = new IssuerError(message);
      if (!failedToOpen(state, error)) end(state, error);
      return;
    }
    case 'committed':
      onCommitted(state, message);
      break;
    case 'rolled_back':
      onRolledBack(state, message);
      if (state.closing === null) return;
      break;
    case 'maintained':
      note(state, message.freeBytes);
      break;
    case 'closed':
      state.phase = { kind: 'closed' };
      state.closing?.resolve();
      return;
  }
  // it waits for the next batch
  state.phase = { kind: 'idle' };
  flush(state);
}

function onCommitted(state: GroupCommitState, message: Extract<FromWriter, { kind: 'committed' }>): void {
  const { writer, condition, log } = state;
  const batch = writer.running;
  note(state, message.freeBytes);
  writer.running = [];
  const { obstacle } = condition;
  if (obstacle !== null) log({ level: 'info', event: 'ledger_writes_again', fields: { obstacle } });
  condition.obstacle = null;
  batch.forEach((entry, i) => {
    const result = message.results[i] ?? null;
    if (result?.ok === false) {
      const fields = { ...subjectOf(entry.operation), code: result.code };
      log({ level: 'error', event: 'ledger_operation_refused', fields });
    }
    if (entry.caller !== null) answerCaller(entry, result);
  });
  state.onCommit?.({ operations: batch.length, commitMs: message.commitMs });
}

function onRolledBack(state: GroupCommitState, message: Extract<FromWriter, { kind: 'rolled_back' }>): void {
  const { condition, log, time } = state;
  const { obstacle, code } = message;
  if (condition.obstacle === null)
    log({ level: 'error', event: 'ledger_cannot_write', fields: { obstacle, code, waiting: depth(state) } });
  condition.obstacle = obstacle;
  const why = 'The ledger cannot write: its disk is full or another program holds its file.';
  // nothing of it is stored: work that would have begun is refused as such
  keepUncharged(state, (operation) =>
    begins(operation) ? refusal('settlement_unavailable', why) : unavailable(why),
  );
  if (state.closing !== null) {
    loseWaiting(state, obstacle);
    return;
  }
  // an empty batch finds out whether the file can be locked again
  const cancelRetry = time.after(groupCommitBounds.retryMs, () => commit(state));
  state.phase = { kind: 'held', cancelRetry };
}

/** Ends the waiting for a rolled back batch; false when there is none. */
function cancelRetry({ phase }: GroupCommitState): boolean {
  if (phase.kind !== 'held') return false;
  phase.cancelRetry();
  return true;
}

/** Rejects the caller of `open`; false when the ledger was open already. */
function failedToOpen(state: GroupCommitState, error: Error): boolean {
  const { phase } = state;
  if (phase.kind !== 'starting') return false;
  state.phase = { kind: 'closed' };
  stopTimers(state);
  phase.opening.reject(error);
  return true;
}

function onDeath(state: GroupCommitState, error: Error): void {
  const { writer, time, log } = state;
  writer.handle = null;
  cancelRetry(state);
  if (failedToOpen(state, error)) return;
  if (time.nowMs() - writer.restartedMs < groupCommitBounds.restartWindowMs) {
    end(state, error);
    return;
  }
  writer.restartedMs = time.nowMs();
  log({
    level: 'error',
    event: 'ledger_writer_died',
    fields: { message: error.message, waiting: depth(state) },
  });
  keepUncharged(state, () =>
    unavailable('The ledger writer died; whether this change was stored is unknown.'),
  );
  state.gathering.lingerOver = true;
  state.phase = { kind: 'restarting' };
  start(state);
}

function end(state: GroupCommitState, error: Error): void {
  state.phase = { kind: 'dead' };
  state.writer.handle = null;
  stopTimers(state);
  keepUncharged(state, () => unavailable('The ledger writer died twice within a minute.'));
  loseWaiting(state, 'writer_dead');
  state.closing?.resolve();
  state.onFatal(error);
}

/** Rejects what has a caller; everything else keeps its place in front, to be written again (P8.10). */
function keepUncharged(
  { writer, queue }: GroupCommitState,
  failed: (operation: Operation) => IssuerError,
): void {
  const all = [...writer.running, ...take(queue, Number.POSITIVE_INFINITY)];
  writer.running = [];
  for (const entry of all) entry.caller?.reject(failed(entry.operation));
  putBack(
    queue,
    all.filter((entry) => entry.caller === null),
  );
}

function loseWaiting({ queue, log }: GroupCommitState, reason: LedgerFailure): void {
  const count = take(queue, Number.POSITIVE_INFINITY).length;
  if (count > 0) log({ level: 'error', event: 'ledger_operations_lost', fields: { reason, count } });
}

function scheduleMaintenance(state: GroupCommitState): void {
  state.writer.cancelMaintenance = state.time.after(groupCommitBounds.maintainMs, () => maintain(state));
}

function maintain(state: GroupCommitState): void {
  const { writer, time } = state;
  scheduleMaintenance(state);
  note(state, null);
  if (state.phase.kind !== 'idle') return;
  const checkpoint = time.nowMs() - writer.checkpointedMs >= groupCommitBounds.checkpointMs;
  if (checkpoint) writer.checkpointedMs = time.nowMs();
  state.phase = { kind: 'busy' };
  writer.handle?.postMessage({ kind: 'maintain', checkpoint });
}

function stopTimers(state: GroupCommitState): void {
  state.writer.cancelMaintenance();
  stopLinger(state);
  state.gathering.delay.stop();
}
