import type { LogSink } from './log.ts';

/** A sink that keeps lines until the turn of the event loop ends. */
export type GatheredSink = LogSink & {
  /** Writes what waits; to be called before the process ends. */
  flush(): void;
};

/** Gathers the lines of one turn into one write: a system call a line costs more than the line. */
export function gatheredSink(sink: LogSink): GatheredSink {
  let waiting = '';
  const flush = (): void => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') sink.write(lines);
  };
  return {
    write(line) {
      if (waiting === '') setImmediate(flush);
      waiting += line;
    },
    flush,
  };
}
