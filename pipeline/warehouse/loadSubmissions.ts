import type { DuckDBConnection } from '@duckdb/node-api';
import { openRandomAccessFile, type RandomAccessFile } from '../zip/randomAccessFile.ts';
import { readCentralDirectory } from '../zip/readCentralDirectory.ts';
import { readZipEntry } from '../zip/readZipEntry.ts';
import { EntryFault, type ZipEntry } from '../zip/zipEntry.ts';
import { type Loaded, loadInput, reading, refusedFile } from './inputFile.ts';
import { insertRows } from './insertRows.ts';
import { parseSubmissions, type SubmissionRows, SubmissionsFault } from './parseSubmissions.ts';

const entityColumns = {
  input: 'VARCHAR',
  cik: 'VARCHAR',
  name: 'VARCHAR',
  sic: 'VARCHAR',
  owner_org: 'VARCHAR',
  entity_type: 'VARCHAR',
  category: 'VARCHAR',
  tickers: ['VARCHAR'],
  exchanges: ['VARCHAR'],
} as const;
const filingColumns = {
  input: 'VARCHAR',
  cik: 'VARCHAR',
  accession: 'VARCHAR',
  form: 'VARCHAR',
  filed: 'DATE',
  accepted_at: 'TIMESTAMP',
  report_date: 'DATE',
  items: 'VARCHAR',
  is_xbrl: 'BOOLEAN',
  primary_document: 'VARCHAR',
  file_number: 'VARCHAR',
  document_description: 'VARCHAR',
};
const MAX_ENTRY_BYTES = 128 * 1024 * 1024;

/** What loading the submissions archive did; `names` are the inputs its rows are kept under. */
export type LoadedSubmissions = Omit<Loaded, 'name' | 'unchanged'> & {
  readonly names: readonly string[];
  readonly changed: number;
};

/**
 * Loads the submissions files and pages of the registrants asked for, those that differ from the last run by
 * (name, crc32, size) only; a bad file is refused with its reason and keeps the rows it had.
 *
 * @throws IssuerError `bad_archive` when the archive as a whole cannot be trusted.
 */
export async function loadSubmissions(
  connection: DuckDBConnection,
  o: { readonly path: string; readonly ciks: readonly string[] },
): Promise<LoadedSubmissions> {
  const wanted = new Set(o.ciks);
  const file = await reading(o.path, () => openRandomAccessFile(o.path));
  try {
    const { entries, refused } = readCentralDirectory({ file, limits: { entryBytes: MAX_ENTRY_BYTES } });
    const mine = entries
      .filter((e) => wanted.has(e.name.slice(3, 13)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const loaded: Loaded[] = [];
    for (const entry of mine) loaded.push(await loadEntry(connection, { file, entry }));
    return {
      rows: loaded.reduce((sum, l) => sum + l.rows, 0),
      changed: loaded.filter((l) => !l.unchanged).length,
      refused: [
        ...refused.filter((r) => wanted.has(r.name.slice(3, 13))),
        ...loaded.flatMap((l) => l.refused),
      ],
      names: mine.map((e) => inputName(e)),
    };
  } finally {
    file.close();
  }
}

function inputName(entry: ZipEntry): string {
  return `edgar/submissions.zip!${entry.name}`;
}

function loadEntry(
  connection: DuckDBConnection,
  o: { readonly file: RandomAccessFile; readonly entry: ZipEntry },
): Promise<Loaded> {
  const name = inputName(o.entry);
  return loadInput(connection, {
    name,
    fingerprint: `${o.entry.crc32}-${o.entry.size}`,
    tables: ['submission_entity', 'submission_filing'],
    async read() {
      const { entity, filings } = readEntry(o, name);
      return {
        refused: [],
        async insert() {
          const entities = entity === null ? [] : [entity];
          await insertRows(connection, {
            table: 'submission_entity',
            columns: entityColumns,
            rows: entities,
          });
          return insertRows(connection, {
            table: 'submission_filing',
            columns: filingColumns,
            rows: filings,
          });
        },
      };
    },
  });
}

function readEntry(
  o: { readonly file: RandomAccessFile; readonly entry: ZipEntry },
  input: string,
): SubmissionRows {
  try {
    const bytes = readZipEntry(o.file, o.entry);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return parseSubmissions({ name: o.entry.name, input, text });
  } catch (error) {
    if (error instanceof EntryFault || error instanceof SubmissionsFault) {
      throw refusedFile(input, `cannot be used: ${error.message}`);
    }
    if (error instanceof TypeError) throw refusedFile(input, 'is not UTF-8');
    throw error;
  }
}
