import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { BIGINT, DATE, DOUBLE, type DuckDBConnection, INTEGER, SMALLINT } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import type { Effects } from '../effects.ts';
import type { ZipEntry } from '../zip/zipEntry.ts';
import { DictionaryTables } from './dictionaryTables.ts';
import { type FactPage, factPage, pageRows } from './factPage.ts';
import type { Quarantined } from './planIngest.ts';
import type { ReadFile } from './readCompanyFacts.ts';
import { BatchReader, type ScanAnswer } from './scanBatch.ts';

export type Appended = {
  readonly facts: number;
  readonly files: ReadFile[];
  readonly quarantined: Quarantined[];
};

/** An archive and the build its facts go to. */
export type ArchiveRead = {
  readonly archivePath: string;
  readonly connection: DuckDBConnection;
  readonly effects: Effects;
  readonly workers?: number;
};

/** Reads `entries` and appends their rows, in the order given, to `table` and the dictionary tables. */
export async function appendBatches({
  archivePath,
  connection,
  entries,
  workers,
  table,
  effects,
}: Required<ArchiveRead> & {
  entries: readonly ZipEntry[];
  table: 'fact' | 'fact_incoming';
}): Promise<Appended> {
  const dictionaries = await DictionaryTables.load(connection);
  const appender = await FactAppender.open(connection, table);
  const files: ReadFile[] = [];
  const quarantined: Quarantined[] = [];
  let facts = 0;
  try {
    await scanArchive({
      archivePath,
      batches: planBatches(entries),
      workers,
      take: (answer, reader) => {
        for (const file of answer.files) {
          if ('read' in file) files.push(file.read);
          else quarantined.push(file.refused);
        }
        appendAnswer({ answer, reader, dictionaries, appender });
        facts += answer.rows;
        const fields = { done: files.length + quarantined.length, total: entries.length, unit: 'files' };
        effects.log({ level: 'info', step: 'ingest', message: `${facts} facts`, fields });
      },
    });
    appender.close();
  } catch (cause) {
    appender.abandon();
    throw cause;
  }
  await dictionaries.save(connection);
  return { facts, files, quarantined };
}

function appendAnswer({
  answer,
  reader,
  dictionaries,
  appender,
}: {
  answer: ScanAnswer;
  reader: number;
  dictionaries: DictionaryTables;
  appender: FactAppender;
}): void {
  const codes = dictionaries.learn(reader, answer.strings);
  const pages = answer.pages.map((buffer) => factPage(buffer));
  for (const { row, accession, valueExact } of answer.exact) {
    const page = pages[Math.floor(row / pageRows)];
    if (page === undefined) throw new Error(`exact row ${row} lies beyond its batch`);
    page.accession[row % pageRows] = dictionaries.exactCode(accession, valueExact);
  }
  pages.forEach((page, i) => {
    const rows = Math.min(pageRows, answer.rows - i * pageRows);
    codes.series.apply(page.series, rows);
    codes.form.apply(page.form, rows);
    codes.fp.apply(page.fp, rows);
    codes.frame.apply(page.frame, rows);
    appender.append(page, rows);
  });
}

/** Columns of the table `fact` in their order there. */
const columns = [
  { type: BIGINT, bytes: 8, of: (page: FactPage) => page.accession },
  { type: DOUBLE, bytes: 8, of: (page: FactPage) => page.value },
  { type: INTEGER, bytes: 4, of: (page: FactPage) => page.cik },
  { type: INTEGER, bytes: 4, of: (page: FactPage) => page.series },
  { type: DATE, bytes: 4, of: (page: FactPage) => page.start },
  { type: DATE, bytes: 4, of: (page: FactPage) => page.end },
  { type: DATE, bytes: 4, of: (page: FactPage) => page.filed },
  { type: INTEGER, bytes: 4, of: (page: FactPage) => page.form },
  { type: INTEGER, bytes: 4, of: (page: FactPage) => page.fp },
  { type: INTEGER, bytes: 4, of: (page: FactPage) => page.frame },
  { type: SMALLINT, bytes: 2, of: (page: FactPage) => page.fy },
] as const;

/** Appends pages to a table with the columns of `fact`, a vector of up to 2,048 rows at a time. */
export class FactAppender {
  private readonly appender: duckdb.Appender;
  private readonly chunk: duckdb.DataChunk;
  private readonly vectors: readonly duckdb.Vector[];
  private readonly vectorRows = duckdb.vector_size();

  private constructor(appender: duckdb.Appender) {
    this.appender = appender;
    this.chunk = duckdb.create_data_chunk(columns.map(({ type }) => type.toLogicalType().logical_type));
    // a reset gives the vectors their memory back and leaves them where they are
    this.vectors = columns.map((_, i) => duckdb.data_chunk_get_vector(this.chunk, i));
  }

  static async open(connection: DuckDBConnection, table: 'fact' | 'fact_incoming'): Promise<FactAppender> {
    // the public appender writes value by value; its handle takes whole chunks
    const { appender } = (await connection.createAppender(table, 'internal')) as unknown as {
      appender: duckdb.Appender;
    };
    return new FactAppender(appender);
  }

  /** Appends the first `rows` rows of `page`. */
  append(page: FactPage, rows: number): void {
    if (rows > pageRows) throw new RangeError(`a page holds at most ${pageRows} rows`);
    for (let from = 0; from < rows; from += this.vectorRows) {
      const count = Math.min(this.vectorRows, rows - from);
      duckdb.data_chunk_reset(this.chunk);
      duckdb.data_chunk_set_size(this.chunk, count);
      columns.forEach(({ bytes, of }, i) => {
        const vector = this.vectors[i] as duckdb.Vector;
        duckdb.copy_data_to_vector(vector, 0, page.buffer, of(page).byteOffset + from * bytes, count * bytes);
      });
      duckdb.append_data_chunk(this.appender, this.chunk);
    }
  }

  close(): void {
    duckdb.appender_close_sync(this.appender);
  }

  /** Drops rows not yet flushed, so that a failed run can be rolled back. */
  abandon(): void {
    duckdb.appender_clear(this.appender);
  }
}

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
async function scanArchive(poolOptions: PoolOptions): Promise<void> {
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

const batchBytes = 4 * 1024 * 1024;
const batchEntries = 256;

/** Neighbouring entries that are read as one piece of work; `bytes` is their uncompressed size. */
export type EntryBatch = { readonly entries: readonly ZipEntry[]; readonly bytes: number };

/** Groups entries in the given order into batches of about 4 MiB; a larger entry is a batch of its own. */
export function planBatches(entries: readonly ZipEntry[]): EntryBatch[] {
  const batches: EntryBatch[] = [];
  let open: ZipEntry[] = [];
  let bytes = 0;
  const close = () => {
    if (open.length > 0) batches.push({ entries: open, bytes });
    open = [];
    bytes = 0;
  };
  for (const entry of entries) {
    if (bytes + entry.size > batchBytes || open.length === batchEntries) close();
    open.push(entry);
    bytes += entry.size;
  }
  close();
  return batches;
}
