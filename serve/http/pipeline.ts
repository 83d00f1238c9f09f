import type { Socket } from 'node:net';

/** Most requests of one connection that are answered at a time; further ones wait unread. */
export const pipelineDepth = 8;

type Line = { open: number; readonly waiting: (() => void)[] };

/** Keeps the requests that a connection sends ahead of its answers within bounds. */
export type Pipelines = {
  /** Starts the request, or keeps it until an earlier one of its connection has ended. */
  enter(socket: Socket, start: () => void): void;
  /** One request of the connection has ended; the next one starts. */
  leave(socket: Socket): void;
};

/**
 * A client that sends requests without reading answers holds at most {@link pipelineDepth} answers in memory, whatever
 * the rate limits are: its connection is read no further until the requests already read have started.
 */
export function pipelines(): Pipelines {
  const lines = new WeakMap<Socket, Line>();

  function lineOf(socket: Socket): Line {
    const known = lines.get(socket);
    if (known !== undefined) return known;
    const line: Line = { open: 0, waiting: [] };
    lines.set(socket, line);
    socket.once('close', () => line.waiting.splice(0));
    return line;
  }

  return {
    enter(socket, start) {
      const line = lineOf(socket);
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
      const line = lineOf(socket);
      const next = socket.destroyed ? undefined : line.waiting.shift();
      if (next === undefined) line.open -= 1;
      else next();
      if (line.waiting.length === 0 && socket.isPaused()) socket.resume();
    },
  };
}
