import { Worker } from 'node:worker_threads';
import type { WorkerThread } from '../workerThread.ts';
import type { FromVisualThread, ToVisualThread, VisualCall, VisualReply } from './visualCall.ts';

/** The visual tools as the request path sees them. */
export type VisualThread = {
  /** Answers a call in its turn; `clientGone` is asked again before its turn comes. After `close` every call is refused. */
  ask(call: VisualCall, clientGone: () => boolean): Promise<VisualTurn>;
  close(): Promise<void>;
};

export type VisualTurn = { readonly reply: VisualReply; readonly argumentsSha256: string };

/** A thread that draws. */
export type RenderingThread = WorkerThread<FromVisualThread, ToVisualThread> & { unref(): void };

/** Bounds of the queue (V69): a request may take 20 s altogether (I8.8), and one key does not keep the others out. */
export const visualBounds = { waiting: 16, waitingOfOwner: 4, runMs: 10_000 } as const;

/** A picture takes some tens of MB; one that takes this much ends its thread and not the server. */
const heapMb = 512;

type Waiting = {
  readonly call: VisualCall;
  readonly clientGone: () => boolean;
  readonly end: (turn: VisualTurn) => void;
};

/**
 * Runs the visual tools in one thread behind a bounded queue (V69). A call that kills the thread or takes longer than its
 * time is refused, and the next one gets a new thread: nothing of it is stored or charged.
 */
export function visualThread({
  start,
  time,
  log,
}: {
  /** Starts a thread, see `renderingWorker`. */
  start: () => RenderingThread;
  time: { after(ms: number, task: () => void): () => void };
  log: (line: { level: 'error'; event: string; fields: Readonly<Record<string, string | null>> }) => void;
}): VisualThread {
  const queue: Waiting[] = [];
  let running: (Waiting & { readonly id: number; readonly cancel: () => void }) | null = null;
  let worker: RenderingThread | null = null;
  let lastId = 0;
  let isClosed = false;

  function started(): RenderingThread {
    if (worker !== null) return worker;
    const thread = start();
    // a server that stops does not wait for a picture
    thread.unref();
    thread.on('message', ({ id, ...turn }) => {
      if (running?.id === id) finish(turn);
    });
    thread.on('error', (error) =>
      log({ level: 'error', event: 'visual_worker_failed', fields: { why: String(error) } }),
    );
    thread.on('exit', () => {
      if (worker !== thread) return;
      worker = null;
      if (running !== null) finish(refused('died'));
    });
    worker = thread;
    return thread;
  }

  function finish(turn: VisualTurn): void {
    const ended = running;
    running = null;
    ended?.cancel();
    ended?.end(turn);
    next();
  }

  function stopLate(): void {
    const late = worker;
    worker = null;
    log({ level: 'error', event: 'visual_worker_late', fields: { tool: running?.call.tool ?? null } });
    void late?.terminate();
    finish(refused('too_long'));
  }

  function next(): void {
    if (running !== null) return;
    const waiting = queue.shift();
    if (waiting === undefined) return;
    if (waiting.clientGone()) {
      waiting.end(refused('client_gone'));
      next();
      return;
    }
    lastId += 1;
    running = { ...waiting, id: lastId, cancel: time.after(visualBounds.runMs, stopLate) };
    try {
      started().postMessage({ id: lastId, call: waiting.call });
    } catch (error) {
      // no thread can be had
      log({ level: 'error', event: 'visual_worker_failed', fields: { why: String(error) } });
      finish(refused('died'));
    }
  }

  return {
    ask(call, clientGone) {
      if (isClosed) return Promise.resolve(refused('died'));
      const own = queue.filter((waiting) => waiting.call.owner === call.owner).length;
      if (queue.length >= visualBounds.waiting || own >= visualBounds.waitingOfOwner)
        return Promise.resolve(refused('queue_full'));
      return new Promise((end) => {
        queue.push({ call, clientGone, end });
        next();
      });
    },
    async close() {
      isClosed = true;
      const thread = worker;
      worker = null;
      await thread?.terminate();
      for (const waiting of queue.splice(0)) waiting.end(refused('died'));
      if (running !== null) finish(refused('died'));
    },
  };
}

/** Starts the worker that draws, over the stored renders of a directory. */
export function renderingWorker(directory: string): () => RenderingThread {
  return () =>
    new Worker(new URL('./visualWorker.ts', import.meta.url), {
      workerData: { directory },
      name: 'visual',
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
}

function refused(why: Extract<VisualReply, { kind: 'overloaded' }>['why']): VisualTurn {
  return { reply: { kind: 'overloaded', why }, argumentsSha256: '' };
}
