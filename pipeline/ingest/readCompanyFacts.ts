import { isUtf8 } from 'node:buffer';
import { freeEntry, readZipEntry } from '../zip/readZipEntry.ts';
import { EntryFault, type RandomAccessFile, type ZipEntry } from '../zip/zipEntry.ts';
import type { FactSink } from './factSink.ts';
import type { CompanyFile } from './parseCompanyFacts.ts';
import { parseCompanyFacts } from './parseCompanyFacts.ts';
import type { CompanyFactsScanner } from './scanCompanyFacts.ts';

/** A file whose rows were all taken. */
export type ReadFile = { readonly name: string; readonly rows: number; readonly entityName: string | null };

/** What became of one file of the archive: read, or refused with a reason. */
export type FileResult =
  | { readonly read: ReadFile }
  | { readonly refused: { readonly name: string; readonly reason: string } };

/** Central Index Key in an entry name `CIK##########.json`; null for any other name. */
export function cikOfName(name: string): number | null {
  const m = /^CIK(\d{10})\.json$/.exec(name);
  const cik = m === null ? Number.NaN : Number(m[1]);
  return cik <= 0x7fffffff ? cik : null;
}

type Reading = { readonly sink: FactSink; readonly scanner: CompanyFactsScanner };

/** Adds all rows of one archive entry to `sink`, or none and says why. */
export function readCompanyFacts({
  file,
  entry,
  sink,
  scanner,
}: Reading & { file: RandomAccessFile; entry: ZipEntry }): FileResult {
  const mark = sink.beginFile();
  try {
    const cik = cikOfName(entry.name);
    if (cik === null) throw new EntryFault('its name is not CIK and ten digits');
    if (sink.dictionaries.full) throw new EntryFault('the archive holds too many distinct names');
    const content = readZipEntry(file, entry);
    const entityName = addFacts({ content, cik, sink, scanner });
    freeEntry(content);
    return { read: { name: entry.name, rows: sink.rows - mark, entityName } };
  } catch (cause) {
    sink.rewind(mark);
    if (cause instanceof EntryFault) return { refused: { name: entry.name, reason: cause.message } };
    throw cause;
  }
}

/** Adds the rows of one inflated file by the scanner, or by the general parser where the scanner is surprised. */
export function addFacts(input: CompanyFile & Reading): string | null {
  const mark = input.sink.rows;
  const scan = input.scanner.scan(input.content, input.cik);
  if (scan.known) return scan.entityName;
  input.sink.rewind(mark);
  if (!isUtf8(input.content)) throw new EntryFault('it is not valid UTF-8');
  return parseCompanyFacts(input);
}
