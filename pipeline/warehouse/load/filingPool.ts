import { Worker } from 'node:worker_threads';
import { filingInput, filingPart, type ListedFiling } from '../../source/filingSources.ts';
import { type FilingFiles, filesOfFolder, filesOfInstance, filesOfZip } from '../../xbrl/filingFolder.ts';
import { loadFiling } from '../../xbrl/loadFiling.ts';
import { filingRows, type RowBatches } from './filingRows.ts';

/** Read and not yet taken, a worker: enough that it never waits for an insert. */
const queue = 2;
const inlineBytes = 4 * 1024 * 1024;
const packed = /\.(gz|zip)$/i;
/** XML unpacks to about that much. */
const packedFactor = 20;
/** A filing that needs more ends its worker, not the night; from 2048 on the engine lets garbage grow to four times what lives. */
const workerHeapMb = 1536;
/** What was read of a filing dies at once or lives as long as it; the 96 MB of the engine's choice are never given back. */
const workerYoungMb = 24;

/** What reading a filing gave: its rows, or why nothing of it could be read. */
export type ReadOutcome = { readonly rows: RowBatches } | { readonly failure: string };

/**
 * Reads filings in worker threads and hands their rows over in the order given, with at most two read ahead
 * per worker; little work is done without workers. A filing that breaks its reader is a failure of that filing, never a throw.
 */
export async function* readFilings(
  filings: readonly ListedFiling[],
  { workers, heapMb }: { readonly workers: number; readonly heapMb?: number },
): AsyncGenerator<ReadOutcome, void, undefined> {
  const bytes = filings.reduce((sum, filing) => sum + unpackedBytes(filing), 0);
  if (workers < 1 || bytes <= inlineBytes) {
    for (const filing of filings) yield await readHere(filing);
    return;
  }
  const lanes = Array.from(
    { length: Math.min(workers, filings.length) },
    () => new Lane(heapMb ?? workerHeapMb),
  );
  try {
    const ahead: Promise<ReadOutcome>[] = [];
    let next = 0;
    const fill = () => {
      while (next < filings.length && ahead.length < lanes.length * queue) {
        const filing = filings[next];
        const lane = lanes[next % lanes.length];
        next += 1;
        if (filing !== undefined && lane !== undefined) ahead.push(lane.read(filing));
      }
    };
    fill();
    for (let reading = ahead.shift(); reading !== undefined; reading = ahead.shift()) {
      const taken = await reading;
      fill();
      yield taken;
    }
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
}

/** Reads one filing on this thread. */
export async function readHere(filing: ListedFiling): Promise<ReadOutcome> {
  try {
    return { rows: await readFilingRows(filing) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Bytes of its files, unpacked as far as is known. */
function unpackedBytes({ files }: ListedFiling): number {
  return files.reduce((sum, { name, bytes }) => sum + bytes * (packed.test(name) ? packedFactor : 1), 0);
}

type Waiting = { readonly filing: ListedFiling; readonly resolve: (read: ReadOutcome) => void };

/** One worker, replaced when it dies; the filing it was reading is a failure, those behind it are read again. */
class Lane {
  private worker: Worker | null = null;
  private waiting: Waiting[] = [];
  private readonly heapMb: number;

  constructor(heapMb: number) {
    this.heapMb = heapMb;
  }

  read(filing: ListedFiling): Promise<ReadOutcome> {
    return new Promise((resolve) => this.put({ filing, resolve }));
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  private put(next: Waiting): void {
    this.waiting.push(next);
    this.worker ??= this.start();
    this.worker.postMessage(next.filing);
  }

  private start(): Worker {
    const worker = new Worker(new URL('./readFilingWorker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: this.heapMb, maxYoungGenerationSizeMb: workerYoungMb },
    });
    const lose = (reason: string) => {
      if (this.worker !== worker) return;
      this.worker = null;
      const [lost, ...behind] = this.waiting;
      this.waiting = [];
      lost?.resolve({ failure: `its reader ended: ${reason}` });
      for (const next of behind) this.put(next);
    };
    worker.on('message', (read: ReadOutcome) => this.waiting.shift()?.resolve(read));
    worker.on('error', (error: Error) => lose(error.message));
    worker.on('exit', (code) => lose(`exit code ${code}`));
    return worker;
  }
}

/**
 * Reads one filing from everything that is available of it: its folder, and, when that holds no instance, the
 * extracted one. An archive that cannot be read is a defect; the files beside it are used.
 */
async function readFilingRows({
  cik,
  accession,
  folder,
  extracted,
  files,
}: ListedFiling): Promise<RowBatches> {
  const layers: FilingFiles[] = folder === null ? [] : [filesOfFolder(folder)];
  const names = (await Promise.all(layers.map((layer) => layer.list()))).flat();
  if (extracted !== null && !names.some(isInstance)) layers.push(filesOfInstance(extracted));
  const filing = await loadFiling({ cik, accession, files: layered(layers) });
  const rows = filingRows(filing, filingInput({ cik, accession }));
  const archives = files.filter(({ part }) => part === 'archive').map(({ path }) => path);
  return { ...rows, defects: [...(await brokenArchives(archives)), ...rows.defects] };
}

function isInstance(name: string): boolean {
  return /\.xml$/i.test(name) && filingPart(name) === 'instance';
}

/** Several sets of files as one; the first that has a name gives its bytes. */
function layered(layers: readonly FilingFiles[]): FilingFiles {
  const [first, ...more] = layers;
  if (first !== undefined && more.length === 0) return first;
  const owner = new Map<string, FilingFiles>();
  return {
    async list() {
      for (const layer of layers) {
        for (const name of await layer.list()) if (!owner.has(name)) owner.set(name, layer);
      }
      return [...owner.keys()].sort();
    },
    async read(name) {
      const files = owner.get(name);
      if (files === undefined) throw new Error(`the filing has no file ${name}`);
      return files.read(name);
    },
  };
}

async function brokenArchives(paths: readonly string[]): Promise<RowBatches['defects'][number][]> {
  const defects: RowBatches['defects'][number][] = [];
  for (const path of paths) {
    await filesOfZip(path)
      .list()
      .catch((error: Error) => defects.push({ part: 'archive', reason: error.message, state: 'unusable' }));
  }
  return defects;
}
