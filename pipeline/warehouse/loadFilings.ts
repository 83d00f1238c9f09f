import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Effects } from '../effects.ts';
import { filingFolders } from '../source/filingFolders.ts';
import {
  type FilingAtHand,
  type FilingFile,
  filingFiles,
  filingsAtHand,
  fingerprintOfFiling,
} from '../source/filingsAtHand.ts';
import { type FilingAnswer, readFilings } from './filingPool.ts';
import { type FilingTable, filingTables } from './filingRows.ts';
import { type FilingWriter, filingWriter } from './filingWriter.ts';
import { type Loaded, loadInput, type Refused, refusedFile } from './inputFile.ts';
import type { FilingOrder } from './readFilingRows.ts';
import { readRows } from './readRows.ts';

const WORKERS = 2;
const PACKED = /\.(gz|zip)$/i;
/** XML unpacks to about that much. */
const PACKED_FACTOR = 20;
const tables = ['xbrl_filing', 'filing_document', ...(Object.keys(filingTables) as FilingTable[])] as const;

/** What loading the filings at hand did. */
export type LoadedFilings = {
  /** The inputs their rows are kept under. */
  readonly names: readonly string[];
  readonly filings: number;
  readonly changed: number;
  readonly facts: number;
  readonly refused: readonly Refused[];
};

/**
 * Loads the XBRL of the filings at hand of the registrants asked for, those whose files differ from the last run
 * only (M1.44). What is wrong with a filing is recorded beside it; a filing that cannot be read at all is refused
 * and keeps the rows it had, and never stops the others.
 *
 * Expects the instance index to be loaded.
 */
export async function loadFilings(
  connection: DuckDBConnection,
  o: {
    readonly filingsRoot: string | null;
    readonly instancesIndex: string | null;
    readonly ciks: readonly string[];
    readonly effects: Effects;
    readonly workers?: number;
  },
): Promise<LoadedFilings> {
  const { filings, refused } = await listFilings(connection, o);
  const known = await fingerprints(connection);
  const hashed: { order: FilingOrder; files: FilingFile[]; fingerprint: string }[] = [];
  for (const filing of filings) {
    const input = inputName(filing);
    try {
      const files = await filingFiles(filing);
      hashed.push({ order: orderOf(filing, files), files, fingerprint: fingerprintOfFiling(files) });
    } catch (error) {
      // its name stays among the inputs, so what was read of it before is kept
      refused.push({ name: input, reason: `cannot be read: ${(error as Error).message}` });
    }
  }
  const changed = hashed.filter(({ order, fingerprint }) => known.get(order.input) !== fingerprint);
  const answers = readFilings(
    changed.map(({ order }) => order),
    { workers: o.workers ?? WORKERS },
  );
  const writer = filingWriter(connection);
  const loaded: Loaded[] = [];
  try {
    for (const { order, files, fingerprint } of changed) {
      loaded.push(await loadFilingRows(connection, { order, files, fingerprint, answers, writer }));
      o.effects.log({
        level: 'info',
        step: 'ingest',
        message: `${order.cik} ${order.accession}`,
        fields: { done: loaded.length, total: changed.length, unit: 'filings' },
      });
    }
    await writer.flush();
  } finally {
    await answers.return();
  }
  return {
    names: filings.map(inputName),
    filings: filings.length,
    changed: changed.length,
    facts: loaded.reduce((sum, l) => sum + l.rows, 0),
    refused: [...refused, ...loaded.flatMap((l) => l.refused)],
  };
}

async function listFilings(
  connection: DuckDBConnection,
  o: { filingsRoot: string | null; instancesIndex: string | null; ciks: readonly string[] },
): Promise<{ filings: FilingAtHand[]; refused: Refused[] }> {
  const wanted = new Set(o.ciks);
  const folders = o.filingsRoot === null ? [] : (await filingFolders(o.filingsRoot)).folders;
  const instances = await readRows(
    connection,
    'SELECT cik, accession, file FROM instance_filing ORDER BY cik, accession, file',
  );
  return filingsAtHand({
    folders: folders.filter(({ cik }) => wanted.has(cik)),
    instancesRoot: o.instancesIndex === null ? null : dirname(o.instancesIndex),
    instances: instances
      .map((row) => ({
        cik: String(row['cik']),
        accession: String(row['accession']),
        file: String(row['file']),
      }))
      .filter(({ cik }) => wanted.has(cik)),
  });
}

function inputName({ cik, accession }: { cik: string; accession: string }): string {
  return `edgar/filings/${cik}/${accession}`;
}

function orderOf(filing: FilingAtHand, files: readonly FilingFile[]): FilingOrder {
  const archives = files.filter(({ part }) => part === 'archive').map(({ path }) => path);
  const bytes = files.reduce(
    (sum, { name, bytes }) => sum + bytes * (PACKED.test(name) ? PACKED_FACTOR : 1),
    0,
  );
  return { ...filing, input: inputName(filing), archives, bytes };
}

async function fingerprints(connection: DuckDBConnection): Promise<Map<string, string>> {
  const rows = await readRows(connection, 'SELECT name, fingerprint FROM input_file');
  return new Map(rows.map((row) => [String(row['name']), String(row['fingerprint'])]));
}

function loadFilingRows(
  connection: DuckDBConnection,
  o: {
    order: FilingOrder;
    files: readonly FilingFile[];
    fingerprint: string;
    answers: AsyncGenerator<FilingAnswer, void, undefined>;
    writer: FilingWriter;
  },
): Promise<Loaded> {
  const { input } = o.order;
  return loadInput(connection, {
    name: input,
    fingerprint: o.fingerprint,
    tables,
    async read() {
      const { value: answer } = await o.answers.next();
      if (answer === undefined) throw new Error('the readers ended before the filings did');
      if ('failure' in answer) throw refusedFile(input, `cannot be read: ${answer.failure}`);
      const { rows } = answer;
      return {
        // a defect is a property of the filing, kept beside it; the rest of the filing is used
        refused: [],
        insert: () => o.writer.write({ ...o.order, files: o.files, rows }),
      };
    },
  });
}
