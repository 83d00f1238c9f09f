import { type MessagePort, Worker } from 'node:worker_threads';
import type { LedgerLog, LedgerTime } from '../../ledger/port/ledger.ts';
import type { WorkerThread } from '../../workerThread.ts';
import type { SettleOutcome } from '../settle/settleOutcome.ts';
import type { FromWorker, MppLibrary, ToWorker, Validation, WorkerSettings } from './mppLibrary.ts';

/** A thread that holds the payment library; it is asked with a `ToWorker`. */
export type LibraryThread = WorkerThread<FromWorker, unknown>;

type Waiting = { end(answer: FromWorker | 'dead' | 'late'): void };

/** Within I8.8: the same limit as a facilitator's verify. */
const validateMs = 5000;

/**
 * The payment library in a thread of its own (P4.11). A thread that dies takes no payment with it: what was being
 * validated is unavailable, what was being broadcast is unknown, and the next call starts a new one.
 */
export function mppThread({
  settings,
  time,
  log,
  start,
}: {
  settings: WorkerSettings;
  time: Pick<LedgerTime, 'after'>;
  log: LedgerLog;
  /** Starts the thread; a worker of its own unless a test has another. */
  start?: (settings: WorkerSettings) => LibraryThread;
}): MppLibrary {
  const waiting = new Map<number, Waiting>();
  let worker: LibraryThread | null = null;
  let lastId = 0;

  function started(): LibraryThread {
    if (worker !== null) return worker;
    const thread = (start ?? ownWorker)(settings);
    thread.on('message', (message) => waiting.get(message.id)?.end(message));
    thread.on('error', (error) =>
      log({ level: 'error', event: 'mpp_worker_failed', fields: { why: String(error) } }),
    );
    thread.on('exit', () => {
      if (worker !== thread) return;
      worker = null;
      for (const one of [...waiting.values()]) one.end('dead');
    });
    worker = thread;
    return thread;
  }

  function ask(message: Omit<ToWorker, 'id'>, limitMs: number): Promise<FromWorker | 'dead' | 'late'> {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      const cancel = time.after(limitMs, () => waiting.get(id)?.end('late'));
      waiting.set(id, {
        end(answer) {
          waiting.delete(id);
          cancel();
          resolve(answer);
        },
      });
      started().postMessage({ id, ...message });
    });
  }

  return {
    async validate(call): Promise<Validation> {
      const answer = await ask({ kind: 'validate', call }, validateMs);
      if (typeof answer === 'object' && answer.kind === 'validate') return answer.answer;
      return { kind: 'unavailable', reason: answer === 'late' ? 'timeout' : 'worker_dead', transport: true };
    },
    async broadcast(call): Promise<SettleOutcome> {
      const answer = await ask({ kind: 'broadcast', call }, settings.callMs);
      if (typeof answer === 'object' && answer.kind === 'broadcast') return answer.answer;
      const reason = answer === 'late' ? 'call_timeout' : 'call_worker_dead';
      return { kind: 'unknown', reason, transaction: call.txHash };
    },
    warm: () => void started(),
    async close() {
      const thread = worker;
      worker = null;
      await thread?.terminate();
      for (const one of [...waiting.values()]) one.end('dead');
    },
  };
}

function ownWorker(settings: WorkerSettings): LibraryThread {
  return new Worker(new URL('./mppWorker.ts', import.meta.url), { workerData: settings, name: 'mpp' });
}

/** Answers what comes through a port with the payment library, each call by its number. */
export function answerCalls(
  port: Pick<MessagePort, 'on' | 'postMessage'>,
  library: Pick<MppLibrary, 'validate' | 'broadcast'>,
): void {
  port.on('message', async (message: ToWorker) => {
    const { id, kind } = message;
    const answer =
      message.kind === 'validate'
        ? await library.validate(message.call)
        : await library.broadcast(message.call);
    port.postMessage({ id, kind, answer } as FromWorker);
  });
}
