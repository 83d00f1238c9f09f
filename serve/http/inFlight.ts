import type { Socket } from 'node:net';
import { networkOf } from './clientAddress.ts';

/** Most requests that are answered at a time: of all clients, and of one address or IPv6 /64 (I8.9). */
export type InFlightLimits = { readonly all: number; readonly address: number };

export const defaultInFlight: InFlightLimits = { all: 1024, address: 128 };

/** The requests a server has begun and not ended. */
export type InFlight = {
  /**
   * Admits a request before anything of it is read or claimed; the function it gives back ends it. null: it is one too
   * many.
   */
  enter(address: string): (() => void) | null;
  readings(): {
    readonly open: number;
    readonly limits: InFlightLimits;
    readonly refused: Readonly<Record<keyof InFlightLimits, number>>;
  };
};

/** Counts requests in flight against the limits; addresses without one take no memory. */
export function inFlight(limits: InFlightLimits): InFlight {
  const ofAddress = new Map<string, number>();
  const refused = { all: 0, address: 0 };
  let open = 0;
  return {
    enter(address) {
      const network = networkOf(address);
      const own = ofAddress.get(network) ?? 0;
      const full = open >= limits.all ? 'all' : own >= limits.address ? 'address' : null;
      if (full !== null) {
        refused[full] += 1;
        return null;
      }
      open += 1;
      ofAddress.set(network, own + 1);
      return () => {
        open -= 1;
        const left = (ofAddress.get(network) ?? 1) - 1;
        if (left === 0) ofAddress.delete(network);
        else ofAddress.set(network, left);
      };
    },
    readings: () => ({ open, limits, refused }),
  };
}

/** Most requests of one connection that are answered at a time; further ones wait unread. */
export const pipelineDepth = 8;

type Line = { open: number; readonly waiting: (() => void)[] };

/** Keeps the requests that a connection sends ahead of its answers within bounds. */
type Pipelines = {
  /** Starts the request, or keeps it until an earlier one of its connection has ended. */
  enter(socket: Socket, start: () => void): void;
  /** One request of the connection has ended; the next one starts. */
  leave(socket: Socket): void;
};

/**
 * A client that sends requests without reading answers holds at most {@link pipelineDepth} answers in memory, at any
 * rate limit: its connection is read no further until the requests already read have started.
 */
export function pipelines(): Pipelines {
  const lines = new WeakMap<Socket, Line>();

  function opened(socket: Socket): Line {
    const line: Line = { open: 0, waiting: [] };
    lines.set(socket, line);
    socket.once('close', () => line.waiting.splice(0));
    return line;
  }

  return {
    enter(socket, start) {
      const line = lines.get(socket) ?? opened(socket);
      if (line.open < pipelineDepth) {
        line.open += 1;
        start();
        return;
      }
      line.waiting.push(start);
      // the parser resumes its socket behind every request, so a pause within its turn would not last
      process.nextTick(() => {
        if (line.waiting.length > 0) socket.pause();
      });
    },
    leave(socket) {
      const line = lines.get(socket);
      if (line === undefined) return;
      const next = socket.destroyed ? undefined : line.waiting.shift();
      if (next === undefined) line.open -= 1;
      else next();
      if (line.waiting.length === 0 && socket.isPaused()) socket.resume();
    },
  };
}

/** How many connections are open at a time; those above are dropped and counted. */
export type ConnectionBound = { readonly most: number; dropped(): void };

/** Descriptors reserved for artifacts, ledger, providers and the admin listener; half of a small limit. */
const reserved = 256;
const toldEveryMs = 60_000;

/** Connections that the soft limit on open files leaves room for; infinite where the text names no such limit. */
export function mostConnections(limits: string): number {
  const soft = /^Max open files +(\d+) /m.exec(limits)?.[1];
  if (soft === undefined) return Number.POSITIVE_INFINITY;
  const files = Number(soft);
  return Math.max(1, files - Math.min(reserved, Math.ceil(files / 2)));
}

/** Counts every connection that is dropped; they are reported once a minute, as a flood must not fill the log. */
export function connectionBound({
  most,
  count,
  tell,
  nowMs,
}: {
  most: number;
  count(): void;
  tell(dropped: number): void;
  nowMs(): number;
}): ConnectionBound {
  let toldMs = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return {
    most,
    dropped() {
      count();
      untold += 1;
      if (nowMs() - toldMs < toldEveryMs) return;
      toldMs = nowMs();
      tell(untold);
      untold = 0;
    },
  };
}

/** Starts work in its turn: at once where none waits and this turn of the event loop has time left for it. */
export type FreeTurns = <T>(start: () => Promise<T>) => Promise<T>;

/** How long free work keeps the event loop before everything else that has arrived is read and answered. */
const sliceMs = 1;

/**
 * Makes the line in which requests that show no credential wait. A turn of the event loop does a millisecond of their work,
 * or one piece where that takes longer; then it reads its sockets again, and a request with a key, a grant or a payment,
 * which waits in no line, is answered between two pieces however many of the others there are (I8.9).
 */
export function freeTurns({
  monotonicMs,
  defer,
}: {
  monotonicMs(): number;
  /** Runs a task once the sockets were read again; `setImmediate`. */
  defer(task: () => void): void;
}): FreeTurns {
  const waiting: (() => Promise<void>)[] = [];
  let isTurning = false;
  /** how much of this turn is used up is known once the piece before has ended */
  let isWorking = false;
  let endMs = 0;

  async function turn(): Promise<void> {
    const untilMs = monotonicMs() + sliceMs;
    endMs = untilMs;
    isTurning = waiting.length > 0;
    if (isTurning) defer(turn);
    // a piece that has to read something ends in a later turn, which has begun the next one meanwhile
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await next();
      if (monotonicMs() >= untilMs) return;
    }
  }

  return <T>(start: () => Promise<T>): Promise<T> => {
    if (!isTurning) {
      isTurning = true;
      isWorking = false;
      endMs = monotonicMs() + sliceMs;
      defer(turn);
    }
    if (waiting.length > 0 || isWorking || monotonicMs() >= endMs)
      return new Promise((resolve, reject) => {
        waiting.push(() => start().then(resolve, reject));
      });
    isWorking = true;
    return start().finally(() => {
      isWorking = false;
    });
  };
}
