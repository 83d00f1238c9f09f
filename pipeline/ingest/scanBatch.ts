import type { DuckDBConnection } from '@duckdb/node-api';
import { openRandomAccessFile, type RandomAccessFile, type ZipEntry } from '../zip/zipEntry.ts';
import type { NewStrings } from './factDictionaries.ts';
import { type ExactRow, FactSink } from './factSink.ts';
import { type FileResult, readCompanyFacts } from './readCompanyFacts.ts';
import { CompanyFactsScanner } from './scanCompanyFacts.ts';

/** Entries to be read together, and page buffers to fill again. */
export type ScanOrder = {
  readonly batch: number;
  readonly entries: readonly ZipEntry[];
  readonly recycled: readonly ArrayBuffer[];
};

/** Rows of a batch: full pages first, the last one partly filled. Codes are those of the sending reader. */
export type ScanAnswer = {
  readonly batch: number;
  readonly files: readonly FileResult[];
  readonly rows: number;
  readonly pages: readonly ArrayBuffer[];
  readonly exact: readonly ExactRow[];
  readonly strings: NewStrings;
};

/** Reads batches of one archive; keeps its dictionaries and buffers from batch to batch. */
export class BatchReader {
  private readonly file: RandomAccessFile;
  private readonly sink = new FactSink();
  private readonly scanner = new CompanyFactsScanner(this.sink);

  constructor(archivePath: string) {
    this.file = openRandomAccessFile(archivePath);
  }

  read(order: ScanOrder): ScanAnswer {
    this.sink.recycle(order.recycled);
    const files = order.entries.map((entry) =>
      readCompanyFacts({ file: this.file, entry, sink: this.sink, scanner: this.scanner }),
    );
    const { rows, pages, exact } = this.sink.take();
    return {
      batch: order.batch,
      files,
      rows,
      pages: pages.map((page) => page.buffer),
      exact,
      strings: this.sink.dictionaries.takeNew(),
    };
  }

  close(): void {
    this.file.close();
  }
}

/**
 * Runs `work` with DuckDB kept to the calling thread, and gives it its threads back afterwards.
 *
 * An appender hands every 204,800 rows to DuckDB's scheduler and spins until its threads are done with them. Where
 * scan workers hold the cores, that waiting costs a third of the append; alone it gains nothing.
 */
export async function onOneThread<T>(connection: DuckDBConnection, work: () => Promise<T>): Promise<T> {
  const setting = await connection.runAndReadAll("SELECT current_setting('threads')");
  const threads = Number(setting.getRows()[0]?.[0]);
  await connection.run('SET threads = 1');
  try {
    return await work();
  } finally {
    await connection.run(`SET threads = ${threads}`);
  }
}
