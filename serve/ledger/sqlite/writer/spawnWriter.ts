import { Worker } from 'node:worker_threads';
import type { FromWriter, ToWriter } from './writerProtocol.ts';

/** A running writer; it ends by itself after `close`. */
export type WriterHandle = { post(message: ToWriter): void };

/** Starts a writer; `dead` is called once, when it ends without having said `closed` or `refused`. */
export type SpawnWriter = (on: {
  message(message: FromWriter): void;
  dead(error: Error): void;
}) => WriterHandle;

/**
 * Starts the writer in a worker thread of this process (P8.6). `entry` is the module the thread runs; `onStart`
 * sees each thread, to measure its share of CPU time.
 */
export function threadWriter(input: {
  path: string;
  entry?: URL;
  onStart?: (worker: Worker) => void;
}): SpawnWriter {
  const entry = input.entry ?? new URL('./writerThread.ts', import.meta.url);
  return (on) => {
    const worker = new Worker(entry, { workerData: { path: input.path }, name: 'ledger-writer' });
    input.onStart?.(worker);
    let over = false;
    worker.on('message', (message: FromWriter) => {
      if (message.kind === 'closed' || message.kind === 'refused') over = true;
      on.message(message);
    });
    const end = (error: Error) => {
      if (over) return;
      over = true;
      on.dead(error);
    };
    worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => end(new Error(`the ledger writer ended with code ${code}`)));
    return { post: (message) => worker.postMessage(message) };
  };
}
