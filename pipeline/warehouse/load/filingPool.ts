import { Worker } from 'node:worker_threads';
import type { FilingRows } from './filingRows.ts';
import { type FilingOrder, readFilingRows } from './readFilingRows.ts';

/** Read and not yet taken, a worker: enough that it never waits for an insert. */
const queue = 2;
const inlineBytes = 4 * 1024 * 1024;
/** A filing that needs more ends its worker, not the night. */
const workerHeapMb = 2048;

/** A filing's rows, or why nothing of it could be read. */
export type FilingAnswer = { readonly rows: FilingRows } | { readonly failure: string };

/**
 * Reads filings in worker threads and hands their rows over in the order asked for, with at most two read ahead
 * per worker; little work is done without workers. A filing that breaks its reader is an answer, never a throw.
 */
export async function* readFilings(
  orders: readonly FilingOrder[],
  { workers, heapMb }: { readonly workers: number; readonly heapMb?: number },
): AsyncGenerator<FilingAnswer, void, undefined> {
  const bytes = orders.reduce((sum, order) => sum + order.bytes, 0);
  if (workers < 1 || bytes <= inlineBytes) {
    for (const order of orders) yield await answerTo(order);
    return;
  }
  const lanes = Array.from(
    { length: Math.min(workers, orders.length) },
    () => new Lane(heapMb ?? workerHeapMb),
  );
  try {
    const ahead: Promise<FilingAnswer>[] = [];
    let next = 0;
    const fill = () => {
      while (next < orders.length && ahead.length < lanes.length * queue) {
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

type Question = { readonly order: FilingOrder; readonly resolve: (answer: FilingAnswer) => void };

/** One worker, replaced when it dies; the filing it was reading is a failure, those behind it are read anew. */
class Lane {
  private worker: Worker | null = null;
  private waiting: Question[] = [];
  private readonly heapMb: number;

  constructor(heapMb: number) {
    this.heapMb = heapMb;
  }

  ask(order: FilingOrder): Promise<FilingAnswer> {
    return new Promise((resolve) => this.put({ order, resolve }));
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  private put(question: Question): void {
    this.waiting.push(question);
    this.worker ??= this.start();
    this.worker.postMessage(question.order);
  }

  private start(): Worker {
    const worker = new Worker(new URL('./readFilingWorker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.heapMb },
    });
    const lose = (reason: string) => {
      if (this.worker !== worker) return;
      this.worker = null;
      const [lost, ...behind] = this.waiting;
      this.waiting = [];
      lost?.resolve({ failure: `its reader ended: ${reason}` });
      for (const question of behind) this.put(question);
    };
    worker.on('message', (answer: FilingAnswer) => this.waiting.shift()?.resolve(answer));
    worker.on('error', (error: Error) => lose(error.message));
    worker.on('exit', (code) => lose(`exit code ${code}`));
    return worker;
  }
}
