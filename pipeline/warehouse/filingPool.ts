import { Worker } from 'node:worker_threads';
import type { FilingRows } from './filingRows.ts';
import { type FilingOrder, readFilingRows } from './readFilingRows.ts';

/** Read and not yet taken, a worker: enough that it never waits for an insert. */
const QUEUE = 2;
const INLINE_BYTES = 4 * 1024 * 1024;

/** A filing's rows, or why nothing of it could be read. */
export type FilingAnswer = { readonly rows: FilingRows } | { readonly failure: string };

/**
 * Reads filings in worker threads and hands their rows over in the order asked for, with at most two read ahead
 * per worker; little work is done without workers. A filing that breaks its reader is an answer, never a throw.
 */
export async function* readFilings(
  orders: readonly FilingOrder[],
  o: { readonly workers: number },
): AsyncGenerator<FilingAnswer, void, undefined> {
  const bytes = orders.reduce((sum, order) => sum + order.bytes, 0);
  if (o.workers < 1 || orders.length < 2 || bytes <= INLINE_BYTES) {
    for (const order of orders) yield await answerTo(order);
    return;
  }
  const lanes = Array.from({ length: Math.min(o.workers, orders.length) }, () => new Lane());
  try {
    const ahead: Promise<FilingAnswer>[] = [];
    let next = 0;
    const fill = () => {
      while (next < orders.length && ahead.length < lanes.length * QUEUE) {
        const order = orders[next];
        const lane = lanes[next % lanes.length];
        next += 1;
        if (order !== undefined && lane !== undefined) ahead.push(lane.ask(order));
      }
    };
    fill();
    for (let answer = ahead.shift(); answer !== undefined; answer = ahead.shift()) {
      const taken = await answer;
      fill();
      yield taken;
    }
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
}

/** Answers one order on this thread. */
export async function answerTo(order: FilingOrder): Promise<FilingAnswer> {
  try {
    return { rows: await readFilingRows(order) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** One worker, replaced when it dies; the filings it held are answered as failures. */
class Lane {
  private worker: Worker | null = null;
  private readonly waiting: ((answer: FilingAnswer) => void)[] = [];

  ask(order: FilingOrder): Promise<FilingAnswer> {
    const worker = this.worker ?? this.start();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      worker.postMessage(order);
    });
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(new URL('./readFilingWorker.ts', import.meta.url));
    const lose = (reason: string) => {
      if (this.worker !== worker) return;
      this.worker = null;
      for (const resolve of this.waiting.splice(0)) resolve({ failure: `its reader ended: ${reason}` });
    };
    worker.on('message', (answer: FilingAnswer) => this.waiting.shift()?.(answer));
    worker.on('error', (error: Error) => lose(error.message));
    worker.on('exit', (code) => lose(`exit code ${code}`));
    this.worker = worker;
    return worker;
  }
}
