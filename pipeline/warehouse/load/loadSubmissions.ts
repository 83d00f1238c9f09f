import type { DuckDBConnection } from '@duckdb/node-api';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { readCentralDirectory } from '../../zip/readCentralDirectory.ts';
import { readZipEntry } from '../../zip/readZipEntry.ts';
import {
  EntryFault,
  openRandomAccessFile,
  type RandomAccessFile,
  type RefusedEntry,
  type ZipEntry,
} from '../../zip/zipEntry.ts';
import { insertRows, type Table, tableOf } from '../build/insertRows.ts';
import {
  type KnownInputs,
  knownInputs,
  type Loaded,
  loadInput,
  type Refused,
  reading,
  refusedFile,
} from './inputFile.ts';
import type { InputReport, LoadRequest } from './inputLoader.ts';
import { parseSubmissions, type SubmissionRows, SubmissionsFault } from './parseSubmissions.ts';

const maxEntryBytes = 128 * 1024 * 1024;

export const submissionTables = ['submission_entity', 'submission_filing'] as const;

/**
 * Loads the submissions files and pages of the registrants asked for, those that differ from the last run by
 * (name, crc32, size) only; a bad file is refused with its reason and keeps the rows it had.
 *
 * @throws IssuerError `bad_archive` when the archive as a whole cannot be trusted.
 */
export async function loadSubmissions({
  connection,
  paths: [path],
  ciks,
  newcomers,
  known: given,
}: Pick<LoadRequest, 'connection' | 'paths' | 'ciks' | 'newcomers' | 'known'>): Promise<InputReport> {
  if (path === undefined) return { names: [], rows: 0, changed: 0, refused: [] };
  const wanted = new Set([...ciks, ...newcomers]);
  const file = await reading(path, () => openRandomAccessFile(path));
  try {
    const { entries, refused: spoilt } = readCentralDirectory({
      file,
      limits: { entryBytes: maxEntryBytes },
      wanted: (name) => wanted.has(name.slice(3, 13)),
    });
    const mine = entries.sort((a, b) => compareText(a.name, b.name));
    const known = given ?? (await knownInputs(connection));
    const loaded: Loaded[] = [];
    const tables = {
      entity: await tableOf(connection, 'submission_entity'),
      filing: await tableOf(connection, 'submission_filing'),
    };
    for (const entry of mine) loaded.push(await loadEntry(connection, { file, entry, known, tables }));
    return {
      rows: loaded.reduce((sum, l) => sum + l.rows, 0),
      changed: loaded.filter((l) => !l.unchanged).length,
      refused: [...refusedEntries(spoilt, known), ...loaded.flatMap((l) => l.refused)],
      // one that cannot be read is there all the same: what was read of it before stays
      names: [...mine, ...spoilt].map(inputName),
    };
  } finally {
    file.close();
  }
}

function refusedEntries(spoilt: readonly RefusedEntry[], known: KnownInputs): Refused[] {
  return spoilt.map((entry) => {
    const name = inputName(entry);
    return { name, reason: entry.reason, kept: known.has(name) };
  });
}

function inputName(entry: Pick<ZipEntry, 'name'>): string {
  return `edgar/submissions.zip!${entry.name}`;
}

function loadEntry(
  connection: DuckDBConnection,
  input: {
    readonly file: RandomAccessFile;
    readonly entry: ZipEntry;
    readonly known: KnownInputs;
    readonly tables: { readonly entity: Table; readonly filing: Table };
  },
): Promise<Loaded> {
  const name = inputName(input.entry);
  const fingerprint = `${input.entry.crc32}-${input.entry.size}`;
  const read = async () => {
    const { entity, filings } = readEntry(input, name);
    return {
      refused: [],
      async insert() {
        const rows = entity === null ? [] : [entity];
        await insertRows(connection, { table: input.tables.entity, rows });
        return insertRows(connection, { table: input.tables.filing, rows: filings });
      },
    };
  };
  return loadInput(connection, { name, fingerprint, tables: submissionTables, read }, input.known);
}

function readEntry(
  { file, entry }: { readonly file: RandomAccessFile; readonly entry: ZipEntry },
  input: string,
): SubmissionRows {
  try {
    const bytes = readZipEntry(file, entry);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return parseSubmissions({ name: entry.name, input, text });
  } catch (error) {
    if (error instanceof EntryFault || error instanceof SubmissionsFault) {
      throw refusedFile(input, `cannot be used: ${error.message}`);
    }
    if (error instanceof TypeError) throw refusedFile(input, 'is not UTF-8');
    throw error;
  }
}
