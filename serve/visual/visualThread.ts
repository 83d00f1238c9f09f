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
 * queue; a picture of more nodes and edges than `quickItems` leaves one thread to what is quick.
 */
export const visualBounds = {
  threads: 2,
  waiting: 16,
  waitingOfOwner: 4,
  quickItems: 150,
  runMs: 10_000,
} as const;

/** A picture takes some tens of MB; one that takes this much ends its thread and not the server. */
const heapMb = 512;

type Waiting = {
  readonly call: VisualCall;
  readonly clientGone: () => boolean;
  readonly end: (turn: VisualTurn) => void;
};

/** A thread, started by its first call, and what it works on. */
type Lane = {
  /** Whether it takes quick calls alone. */
  readonly isQuick: boolean;
  worker: RenderingThread | null;
  running: (Waiting & { readonly id: number; readonly begunMs: number; readonly cancel: () => void }) | null;
};

type VisualDeps = {
  /** Starts a thread, see `renderingWorker`. */
  start: () => RenderingThread;
  time: { nowMs(): number; after(ms: number, task: () => void): () => void };
  log: (line: { level: 'error'; event: string; fields: Readonly<Record<string, string | null>> }) => void;
};

/** The threads, the calls that wait for one, and what each key used. */
type Pool = VisualDeps & {
  readonly lanes: readonly Lane[];
  readonly shares: TimeShares;
  queue: Waiting[];
  lastId: number;
  isClosed: boolean;
};

/**
 * Runs the visual tools in a few threads behind a bounded queue (V69). Of the keys that wait, the one is next that used
 * least thread time lately, and no key has two threads at a time. A call that kills its thread or takes longer than its time
 * is refused, and the next one gets a new thread: nothing of it is stored or charged.
 */
export function visualThread(deps: VisualDeps): VisualThread {
  const pool: Pool = {
    ...deps,
    lanes: Array.from(
      { length: visualBounds.threads },
      (_, i): Lane => ({ isQuick: i === 0, worker: null, running: null }),
    ),
    shares: timeShares(deps.time.nowMs),
    queue: [],
    lastId: 0,
    isClosed: false,
  };
  return {
    ask(call, clientGone) {
      if (pool.isClosed) return Promise.resolve(refused('died'));
      if (!hasPlace(pool, call.owner)) return Promise.resolve(refused('queue_full'));
      return new Promise((end) => {
        pool.queue.push({ call, clientGone, end });
        next(pool);
      });
    },
    async close() {
      pool.isClosed = true;
      const { lanes } = pool;
      const threads = lanes.map((lane) => lane.worker);
      for (const lane of lanes) lane.worker = null;
      await Promise.all(threads.map((thread) => thread?.terminate()));
      for (const waiting of pool.queue.splice(0)) waiting.end(refused('died'));
      for (const lane of lanes) if (lane.running !== null) finish(pool, lane, refused('died'));
    },
  };
}

function started(pool: Pool, lane: Lane): RenderingThread {
  if (lane.worker !== null) return lane.worker;
  const thread = pool.start();
  // a server that stops does not wait for a picture
  thread.unref();
  let hasAnswered = false;
  thread.on('message', ({ id, ...turn }) => {
    hasAnswered = true;
    if (lane.running?.id === id) finish(pool, lane, turn);
  });
  thread.on('error', (error) => {
    // one started ahead that cannot be loaded is no second event: the call that needs it says so
    if (lane.running === null && !hasAnswered) return;
    pool.log({ level: 'error', event: 'visual_worker_failed', fields: { why: String(error) } });
  });
  thread.on('exit', () => {
    if (lane.worker !== thread) return;
    lane.worker = null;
    if (lane.running !== null) finish(pool, lane, refused('died'));
  });
  lane.worker = thread;
  return thread;
}

function finish(pool: Pool, lane: Lane, turn: VisualTurn): void {
  const ended = lane.running;
  lane.running = null;
  if (ended !== null) {
    // a call that took no time that can be measured is a turn all the same
    pool.shares.charge(ended.call.owner, Math.max(1, pool.time.nowMs() - ended.begunMs));
    ended.cancel();
    ended.end(turn);
  }
  next(pool);
}

function stopLate(pool: Pool, lane: Lane): void {
  const late = lane.worker;
  lane.worker = null;
  const tool = lane.running?.call.tool ?? null;
  pool.log({ level: 'error', event: 'visual_worker_late', fields: { tool } });
  void late?.terminate();
  finish(pool, lane, refused('too_long'));
}

/** Calls whose clients have left take no place in the queue. */
function dropLeft(pool: Pool): void {
  const left = pool.queue.filter(({ clientGone }) => clientGone());
  if (left.length === 0) return;
  pool.queue = pool.queue.filter((waiting) => !left.includes(waiting));
  for (const { end } of left) end(refused('client_gone'));
}

/** Thread time that a key has had lately, with what it is having. */
function usedBy({ lanes, shares, time }: Pool, owner: string): number {
  const running = lanes.find((lane) => lane.running?.call.owner === owner)?.running ?? null;
  return shares.used(owner) + (running === null ? 0 : time.nowMs() - running.begunMs);
}

function taken(pool: Pool, { isQuick }: Lane): Waiting | null {
  dropLeft(pool);
  const busy = new Set(pool.lanes.map(({ running }) => running?.call.owner));
  const waiting = pool.queue.filter(({ call }) => !busy.has(call.owner) && (!isQuick || isQuickCall(call)));
  const found = leastBy(waiting, ({ call }) => pool.shares.used(call.owner));
  pool.queue = pool.queue.filter((one) => one !== found);
  return found;
}

/** Whether a call may wait: in a full queue the key that used most time gives up its last place to one that used less. */
function hasPlace(pool: Pool, owner: string): boolean {
  dropLeft(pool);
  const own = pool.queue.filter((waiting) => waiting.call.owner === owner).length;
  if (own >= visualBounds.waitingOfOwner) return false;
  if (pool.queue.length < visualBounds.waiting) return true;
  const most = leastBy(pool.queue.toReversed(), ({ call }) => -usedBy(pool, call.owner));
  if (most === null || usedBy(pool, most.call.owner) <= usedBy(pool, owner)) return false;
  pool.queue = pool.queue.filter((one) => one !== most);
  most.end(refused('queue_full'));
  return true;
}

function next(pool: Pool): void {
  for (const lane of pool.lanes) {
    if (pool.isClosed) return;
    const waiting = lane.running === null ? taken(pool, lane) : null;
    if (waiting !== null) begin(pool, lane, waiting);
  }
}

function begin(pool: Pool, lane: Lane, waiting: Waiting): void {
  pool.lastId += 1;
  const id = pool.lastId;
  const cancel = pool.time.after(visualBounds.runMs, () => stopLate(pool, lane));
  lane.running = { ...waiting, id, begunMs: pool.time.nowMs(), cancel };
  try {
    started(pool, lane).postMessage({ id, call: waiting.call });
    // the next key does not wait for a thread that has to load first
    for (const other of pool.lanes) started(pool, other);
  } catch (error) {
    // no thread can be had
    pool.log({ level: 'error', event: 'visual_worker_failed', fields: { why: String(error) } });
    finish(pool, lane, refused('died'));
  }
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

/** Whether a call is known to take little, by what it asks for alone: its contract is not checked yet. */
function isQuickCall(call: VisualCall): boolean {
  if (call.tool !== 'visual_diagram_render') return true;
  const { contract } = call.args;
  const members: Readonly<Record<string, unknown>> =
    typeof contract === 'object' && contract !== null ? { ...contract } : {};
  const items = ['nodes', 'edges'].map((name) => members[name]).filter(Array.isArray);
  return items.reduce((sum, list) => sum + list.length, 0) <= visualBounds.quickItems;
}

/** The first with the least value. */
function leastBy<T>(items: readonly T[], value: (item: T) => number): T | null {
  let found: { readonly item: T; readonly value: number } | null = null;
  for (const item of items) {
    const own = value(item);
    if (found === null || own < found.value) found = { item, value: own };
  }
  return found?.item ?? null;
}

function refused(why: Extract<VisualReply, { kind: 'overloaded' }>['why']): VisualTurn {
  return { reply: { kind: 'overloaded', why }, argumentsSha256: '' };
}

/** How much thread time each key has had lately. */
export type TimeShares = {
  /** Milliseconds, those of long ago counting less. */
  used(owner: string): number;
  charge(owner: string, ms: number): void;
};

/** Time that was used counts half after this long (V69). */
const halfLifeMs = 10_000;
/** A share below this is as good as none, and not kept. */
const leastMs = 0.01;

/** Keeps the shares of the keys that used time lately; the others have none. */
export function timeShares(nowMs: () => number): TimeShares {
  const shares = new Map<string, { readonly ms: number; readonly atMs: number }>();
  const left = ({ ms, atMs }: { ms: number; atMs: number }, now: number): number =>
    ms * 2 ** ((atMs - now) / halfLifeMs);
  return {
    used(owner) {
      const share = shares.get(owner);
      return share === undefined ? 0 : left(share, nowMs());
    },
    charge(owner, ms) {
      const now = nowMs();
      for (const [other, share] of shares) if (left(share, now) < leastMs) shares.delete(other);
      const share = shares.get(owner);
      shares.set(owner, { ms: (share === undefined ? 0 : left(share, now)) + ms, atMs: now });
    },
  };
}
