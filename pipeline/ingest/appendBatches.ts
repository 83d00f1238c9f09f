import type { DuckDBConnection } from '@duckdb/node-api';
import type { Log } from '../effects.ts';
import type { ZipEntry } from '../zip/zipEntry.ts';
import { DictionaryTables } from './dictionaryTables.ts';
import { FactAppender } from './factAppender.ts';
import { factPage, pageRows } from './factPage.ts';
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
export async function appendBatches({
  archivePath,
  connection,
  entries,
  workers,
  table,
  log,
}: {
  archivePath: string;
  connection: DuckDBConnection;
  entries: readonly ZipEntry[];
  workers: number;
  table: 'fact' | 'fact_incoming';
  log: Log;
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
        log({ level: 'info', step: 'ingest', message: `${facts} facts`, fields });
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
