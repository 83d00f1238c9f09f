import type { DuckDBConnection } from '@duckdb/node-api';
import type { Log } from '../effects.ts';
import type { ZipEntry } from '../zip/zipEntry.ts';
import { DictionaryTables } from './dictionaryTables.ts';
import { FactAppender } from './factAppender.ts';
import { factPage, PAGE_ROWS } from './factPage.ts';
import { planBatches } from './planBatches.ts';
import type { Quarantined } from './planIngest.ts';
import type { ReadFile } from './readCompanyFacts.ts';
import type { ScanAnswer } from './scanBatch.ts';
import { scanArchive } from './scanPool.ts';

export type Appended = {
  readonly facts: number;
  readonly files: ReadFile[];
  readonly quarantined: Quarantined[];
};

/** Reads `entries` and appends their rows, in the order given, to `table` and the dictionary tables. */
export async function appendBatches(o: {
  archivePath: string;
  connection: DuckDBConnection;
  entries: readonly ZipEntry[];
  workers: number;
  table: 'fact' | 'fact_incoming';
  log: Log;
}): Promise<Appended> {
  const dictionaries = await DictionaryTables.load(o.connection);
  const appender = await FactAppender.open(o.connection, o.table);
  const files: ReadFile[] = [];
  const quarantined: Quarantined[] = [];
  let facts = 0;
  try {
    await scanArchive({
      archivePath: o.archivePath,
      batches: planBatches(o.entries),
      workers: o.workers,
      take: (answer, reader) => {
        for (const file of answer.files) {
          if ('read' in file) files.push(file.read);
          else quarantined.push(file.refused);
        }
        appendAnswer({ answer, reader, dictionaries, appender });
        facts += answer.rows;
        const fields = { done: files.length + quarantined.length, total: o.entries.length, unit: 'files' };
        o.log({ level: 'info', step: 'ingest', message: `${facts} facts`, fields });
      },
    });
    appender.close();
  } catch (cause) {
    appender.abandon();
    throw cause;
  }
  await dictionaries.save(o.connection);
  return { facts, files, quarantined };
}

function appendAnswer(o: {
  answer: ScanAnswer;
  reader: number;
  dictionaries: DictionaryTables;
  appender: FactAppender;
}): void {
  const { answer, dictionaries } = o;
  const codes = dictionaries.learn(o.reader, answer.strings);
  const pages = answer.pages.map((buffer) => factPage(buffer));
  for (const { row, accession, valueExact } of answer.exact) {
    const page = pages[Math.floor(row / PAGE_ROWS)];
    if (page === undefined) throw new Error(`exact row ${row} lies beyond its batch`);
    page.accession[row % PAGE_ROWS] = dictionaries.exactCode(accession, valueExact);
  }
  pages.forEach((page, i) => {
    const rows = Math.min(PAGE_ROWS, answer.rows - i * PAGE_ROWS);
    codes.series.apply(page.series, rows);
    codes.form.apply(page.form, rows);
    codes.fp.apply(page.fp, rows);
    codes.frame.apply(page.frame, rows);
    o.appender.append(page, rows);
  });
}
