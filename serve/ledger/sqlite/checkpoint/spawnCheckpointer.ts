import { Worker } from 'node:worker_threads';
import type { ToCheckpointer } from './serveCheckpointer.ts';

/** A running checkpointer; it ends by itself after `stop`. */
export type CheckpointerHandle = { post(message: ToCheckpointer): void };

/** Starts a checkpointer; `ended` is called once, when it has ended or died. */
export type SpawnCheckpointer = (on: { copied(): void; ended(): void }) => CheckpointerHandle;

/** Starts checkpointers of the ledger at `path`, each in a thread of its own. */
export function threadCheckpointer(path: string): SpawnCheckpointer {
  return (on) => {
    const worker = new Worker(new URL('./checkpointerThread.ts', import.meta.url), {
      workerData: { path },
      name: 'ledger-checkpointer',
    });
    worker.on('message', () => on.copied());
    // the exit that follows is enough: a checkpoint that failed loses nothing
    worker.on('error', () => {});
    worker.on('exit', () => on.ended());
    return { post: (message) => worker.postMessage(message) };
  };
}
