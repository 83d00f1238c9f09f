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

/**
 * Bounds of the queue (V69): a request may take 20 s altogether (I8.8). One key has one of the threads and a quarter of the
 * queue, so a picture that takes all its time keeps no other key waiting.
 */
export const visualBounds = { threads: 2, waiting: 16, waitingOfOwner: 4, runMs: 10_000 } as const;

/** A picture takes some tens of MB; one that takes this much ends its thread and not the server. */
const heapMb = 512;

type Waiting = {
  readonly call: VisualCall;
  readonly clientGone: () => boolean;
  readonly end: (turn: VisualTurn) => void;
};

/** A thread, started by its first call, and what it works on. */
type Lane = {
  worker: RenderingThread | null;
  running: (Waiting & { readonly id: number; readonly cancel: () => void }) | null;
};

/**
 * Runs the visual tools in a few threads behind a bounded queue (V69). Of the keys that wait, the one is next whose last
 * call began longest ago, and no key has two threads at a time. A call that kills its thread or takes longer than its time
 * is refused, and the next one gets a new thread: nothing of it is stored or charged.
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
  const lanes = Array.from({ length: visualBounds.threads }, (): Lane => ({ worker: null, running: null }));
  let queue: Waiting[] = [];
  // the call each waiting key began last; one that is not here waits before all others
  const begun = new Map<string, number>();
  let lastId = 0;
  let isClosed = false;

  function started(lane: Lane): RenderingThread {
    if (lane.worker !== null) return lane.worker;
    const thread = start();
    // a server that stops does not wait for a picture
    thread.unref();
    thread.on('message', ({ id, ...turn }) => {
      if (lane.running?.id === id) finish(lane, turn);
    });
    thread.on('error', (error) =>
      log({ level: 'error', event: 'visual_worker_failed', fields: { why: String(error) } }),
    );
    thread.on('exit', () => {
      if (lane.worker !== thread) return;
      lane.worker = null;
      if (lane.running !== null) finish(lane, refused('died'));
    });
    lane.worker = thread;
    return thread;
  }

  function finish(lane: Lane, turn: VisualTurn): void {
    const ended = lane.running;
    lane.running = null;
    ended?.cancel();
    ended?.end(turn);
    next();
  }

  function stopLate(lane: Lane): void {
    const late = lane.worker;
    lane.worker = null;
    const tool = lane.running?.call.tool ?? null;
    log({ level: 'error', event: 'visual_worker_late', fields: { tool } });
    void late?.terminate();
    finish(lane, refused('too_long'));
  }

  /** Calls whose clients have left take no place in the queue. */
  function dropLeft(): void {
    const left = queue.filter(({ clientGone }) => clientGone());
    if (left.length === 0) return;
    queue = queue.filter((waiting) => !left.includes(waiting));
    for (const { end } of left) end(refused('client_gone'));
  }

  function taken(): Waiting | null {
    dropLeft();
    const busy = new Set(lanes.map(({ running }) => running?.call.owner));
    let found: Waiting | null = null;
    const turnOf = ({ call }: Waiting): number => begun.get(call.owner) ?? 0;
    for (const waiting of queue)
      if (!busy.has(waiting.call.owner) && (found === null || turnOf(waiting) < turnOf(found)))
        found = waiting;
    queue = queue.filter((waiting) => waiting !== found);
    return found;
  }

  function next(): void {
    if (isClosed) return;
    const lane = lanes.find(({ running }) => running === null);
    const waiting = lane === undefined ? null : taken();
    if (lane === undefined || waiting === null) return;
    lastId += 1;
    const id = lastId;
    lane.running = { ...waiting, id, cancel: time.after(visualBounds.runMs, () => stopLate(lane)) };
    begun.set(waiting.call.owner, id);
    // a key that waits for nothing has no turn to remember
    for (const owner of begun.keys())
      if (owner !== waiting.call.owner && !queue.some(({ call }) => call.owner === owner))
        begun.delete(owner);
    try {
      started(lane).postMessage({ id, call: waiting.call });
      // the next key does not wait for a thread that has to load first
      for (const other of lanes) started(other);
    } catch (error) {
      // no thread can be had
      log({ level: 'error', event: 'visual_worker_failed', fields: { why: String(error) } });
      finish(lane, refused('died'));
    }
    next();
  }

  return {
    ask(call, clientGone) {
      if (isClosed) return Promise.resolve(refused('died'));
      dropLeft();
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
      const threads = lanes.map((lane) => lane.worker);
      for (const lane of lanes) lane.worker = null;
      await Promise.all(threads.map((thread) => thread?.terminate()));
      for (const waiting of queue.splice(0)) waiting.end(refused('died'));
      for (const lane of lanes) if (lane.running !== null) finish(lane, refused('died'));
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
