import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EntryBatch } from './planBatches.ts';
import { BatchReader, type ScanAnswer } from './scanBatch.ts';

const MiB = 1024 * 1024;
/**
 * uncompressed bytes handed out and not yet taken in; larger files take turns. Enough to read on while rows are
 * flushed, little enough that not much is left to append when the last file is read
 */
const inFlightBytes = 96 * MiB;
/** below this a worker would start for longer than it reads */
const inlineBytes = 64 * MiB;
/** batches a worker holds, so that it does not wait while this thread flushes 200,000 rows */
const queue = 10;

type PoolOptions = {
  readonly archivePath: string;
  readonly batches: readonly EntryBatch[];
  readonly workers: number;
  /** Takes one batch in, in order; `reader` names whose codes its rows carry. */
  readonly take: (answer: ScanAnswer, reader: number) => void;
};

/** Reads every batch and hands the rows over in order; small work is done without workers. */
export async function scanArchive(poolOptions: PoolOptions): Promise<void> {
  const bytes = poolOptions.batches.reduce((sum, batch) => sum + batch.bytes, 0);
  if (poolOptions.workers < 1 || bytes <= inlineBytes) return scanInline(poolOptions);
  return new ScanPool(poolOptions).run();
}

function scanInline({ archivePath, batches, take }: PoolOptions): void {
  const reader = new BatchReader(archivePath);
  try {
    let recycled: readonly ArrayBuffer[] = [];
    batches.forEach((batch, i) => {
      const answer = reader.read({ batch: i, entries: batch.entries, recycled });
      take(answer, 0);
      recycled = answer.pages;
    });
  } finally {
    reader.close();
  }
}

class ScanPool {
  private readonly o: PoolOptions;
  private readonly workers: Worker[] = [];
  private readonly queued: number[] = [];
  private readonly recycled: ArrayBuffer[][] = [];
  private readonly arrived = new Map<number, { answer: ScanAnswer; reader: number }>();
  private next = 0;
  private awaited = 0;
  private bytesInFlight = 0;
  private settle: { resolve: () => void; reject: (cause: unknown) => void } | null = null;

  constructor(poolOptions: PoolOptions) {
    this.o = poolOptions;
  }

  async run(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.settle = { resolve, reject };
        for (let i = 0; i < Math.min(this.o.workers, this.o.batches.length); i += 1) this.start(i);
        this.feed();
      });
    } finally {
      await Promise.all(this.workers.map((worker) => worker.terminate()));
    }
  }

  private start(reader: number): void {
    const worker = new Worker(new URL('./scanWorker.ts', import.meta.url), {
      workerData: { archivePath: this.o.archivePath },
      // a worker does not inherit the cache of its parent, and compiles for longer than it reads small archives
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: getCompileCacheDir() ?? join(tmpdir(), 'node-compile-cache'),
      },
    });
    worker.on('message', (answer: ScanAnswer) => {
      try {
        this.receive(answer, reader);
      } catch (cause) {
        this.settle?.reject(cause);
      }
    });
    worker.on('error', (cause) => this.settle?.reject(cause));
    worker.on('exit', () => this.settle?.reject(new Error('a scan worker ended early')));
    this.workers.push(worker);
    this.queued.push(0);
    this.recycled.push([]);
  }

  private receive(answer: ScanAnswer, reader: number): void {
    this.queued[reader] = (this.queued[reader] ?? 1) - 1;
    this.arrived.set(answer.batch, { answer, reader });
    // hand out work before the append keeps this thread busy
    this.feed();
    for (
      let ready = this.arrived.get(this.awaited);
      ready !== undefined;
      ready = this.arrived.get(this.awaited)
    ) {
      this.arrived.delete(this.awaited);
      this.o.take(ready.answer, ready.reader);
      this.recycled[ready.reader]?.push(...ready.answer.pages);
      this.bytesInFlight -= this.o.batches[this.awaited]?.bytes ?? 0;
      this.awaited += 1;
      this.feed();
    }
    if (this.awaited === this.o.batches.length) this.settle?.resolve();
  }

  private feed(): void {
    for (let batch = this.o.batches[this.next]; batch !== undefined; batch = this.o.batches[this.next]) {
      const idle = this.bytesInFlight === 0;
      if (!idle && this.bytesInFlight + batch.bytes > inFlightBytes) return;
      const reader = this.leastBusy();
      if ((this.queued[reader] ?? queue) >= queue) return;
      const recycled = this.recycled[reader] ?? [];
      this.recycled[reader] = [];
      this.workers[reader]?.postMessage({ batch: this.next, entries: batch.entries, recycled }, recycled);
      this.queued[reader] = (this.queued[reader] ?? 0) + 1;
      this.bytesInFlight += batch.bytes;
      this.next += 1;
    }
  }

  private leastBusy(): number {
    let best = 0;
    for (let i = 1; i < this.queued.length; i += 1)
      if ((this.queued[i] ?? 0) < (this.queued[best] ?? 0)) best = i;
    return best;
  }
}
