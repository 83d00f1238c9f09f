import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { filingFolders } from '../../source/filingFolders.ts';
import {
  type FilingFile,
  type FilingSource,
  filingFiles,
  filingInput,
  filingSources,
  fingerprintOfFiling,
  type ListedFiling,
} from '../../source/filingSources.ts';
import { insertBatches, insertRows, rowBatches, tableOf } from '../build/insertRows.ts';
import { readRows } from '../build/readRows.ts';
import { type ReadOutcome, readFilings } from './filingPool.ts';
import { filingTables, type RowBatches } from './filingRows.ts';
import {
  type KnownInputs,
  knownInputs,
  type Loaded,
  loadInput,
  type Refused,
  refusedFile,
} from './inputFile.ts';
import type { InputReport, LoadRequest } from './inputLoader.ts';

const defaultWorkers = 2;
export const filingContentTables = ['xbrl_filing', 'filing_document', ...filingTables] as const;

/**
 * Loads the XBRL of the available filings of the registrants asked for, those whose files differ from the last run
 * only (M1.44). What is wrong with a filing is recorded beside it; a filing that cannot be read at all is refused
 * and keeps the rows it had, and never stops the others.
 *
 * Expects the instance index to be loaded.
 */
export async function loadFilings({
  connection,
  source,
  ciks,
  effects,
  known: given,
  workers = defaultWorkers,
}: Pick<LoadRequest, 'connection' | 'source' | 'ciks' | 'effects' | 'known'> & {
  readonly workers?: number;
}): Promise<InputReport> {
  const { filings, refused } = await listFilings({ connection, source, ciks });
  const known = given ?? (await knownInputs(connection));
  const listed: { filing: ListedFiling; fingerprint: string }[] = [];
  for (const filing of filings) {
    try {
      const files = await filingFiles(filing);
      listed.push({ filing: { ...filing, files }, fingerprint: fingerprintOfFiling(files) });
    } catch (error) {
      // its name stays among the inputs, so what was read of it before is kept
      refused.push({ name: filingInput(filing), reason: `cannot be read: ${(error as Error).message}` });
    }
  }
  const changed = listed.filter(
    ({ filing, fingerprint }) => known.get(filingInput(filing))?.fingerprint !== fingerprint,
  );
  const reading = readFilings(
    changed.map(({ filing }) => filing),
    { workers },
  );
  const writer = filingWriter(connection);
  const loaded: Loaded[] = [];
  try {
    for (const { filing, fingerprint } of changed) {
      loaded.push(await loadFilingRows(connection, { filing, fingerprint, reading, writer, known }));
      effects.log({
        level: 'info',
        step: 'ingest',
        message: `${filing.cik} ${filing.accession}`,
        fields: { done: loaded.length, total: changed.length, unit: 'filings' },
      });
    }
    await writer.flush();
  } finally {
    await reading.return();
  }
  return {
    names: filings.map(filingInput),
    changed: changed.length,
    rows: loaded.reduce((sum, l) => sum + l.rows, 0),
    refused: [...refused, ...loaded.flatMap((l) => l.refused)],
  };
}

async function listFilings({
  connection,
  source,
  ciks,
}: Pick<LoadRequest, 'connection' | 'source' | 'ciks'>): Promise<{
  filings: FilingSource[];
  refused: Refused[];
}> {
  const wanted = new Set(ciks);
  const [root] = source['filings'] ?? [];
  const [index] = source['instances'] ?? [];
  const folders = root === undefined ? [] : (await filingFolders(root)).folders;
  const instances = await readRows<{ cik: string; accession: string; file: string }>(
    connection,
    'SELECT cik, accession, file FROM instance_filing ORDER BY cik, accession, file',
  );
  return filingSources({
    folders: folders.filter(({ cik }) => wanted.has(cik)),
    instancesRoot: index === undefined ? null : dirname(index),
    instances: instances.filter(({ cik }) => wanted.has(cik)),
  });
}

/** What is available and unusable, under the name of its file where one file is that part of the filing (M1.44c). */
function refusedParts({ defects }: RowBatches, filing: ListedFiling): Refused[] {
  return defects
    .filter(({ state }) => state === 'unusable')
    .map(({ part, reason }) => {
      const [only, second] = filing.files.filter((file) => file.part === part);
      const name = only === undefined || second !== undefined ? filingInput(filing) : `edgar/${only.name}`;
      return { name, reason: `unusable ${part}: ${reason}` };
    });
}

function loadFilingRows(
  connection: DuckDBConnection,
  {
    filing,
    fingerprint,
    reading,
    writer,
    known,
  }: {
    filing: ListedFiling;
    fingerprint: string;
    reading: AsyncGenerator<ReadOutcome, void, undefined>;
    writer: FilingWriter;
    known: KnownInputs;
  },
): Promise<Loaded> {
  const input = filingInput(filing);
  const read = async () => {
    const { value: outcome } = await reading.next();
    if (outcome === undefined) throw new Error('the readers ended before the filings did');
    if ('failure' in outcome) throw refusedFile(input, `cannot be read: ${outcome.failure}`);
    const { rows } = outcome;
    return {
      refused: refusedParts(rows, filing),
      insert: () => writer.write({ ...filing, input, rows }),
    };
  };
  return loadInput(connection, { name: input, fingerprint, tables: filingContentTables, read }, known);
}

/** A statement costs more than the rows of a filing; this many characters of rows share one. */
const bufferCharacters = 4 * 1024 * 1024;

/** What was read of one filing and of which files. */
type ReadFiling = {
  readonly input: string;
  readonly cik: string;
  readonly accession: string;
  readonly files: readonly Pick<FilingFile, 'part' | 'name' | 'sha256'>[];
  readonly rows: RowBatches;
};

type FilingWriter = {
  /** Takes a filing; returns its number of facts. */
  write(filing: ReadFiling): Promise<number>;
  /** Inserts what is still held back; call it before anything reads the tables. */
  flush(): Promise<void>;
};

/** Inserts filings, the rows of several in one statement. */
export function filingWriter(connection: DuckDBConnection): FilingWriter {
  const held = new Map<string, string[]>();
  let characters = 0;
  const hold = (table: string, batches: Iterable<string>) => {
    const texts = held.get(table) ?? [];
    held.set(table, texts);
    for (const batch of batches) {
      texts.push(batch);
      characters += batch.length;
    }
  };
  const flush = async () => {
    for (const [table, texts] of held) {
      if (texts.length === 0) continue;
      const batches = [joined(texts)];
      await insertBatches(connection, { table: await tableOf(connection, table), batches });
    }
    held.clear();
    characters = 0;
  };
  return {
    async write({ input, cik, accession, files, rows }) {
      const head = { input, cik, accession };
      const { reporting } = rows;
      const filing = {
        ...{ ...head, fact_count: rows.factCount, arc_count: rows.arcCount },
        arcs_authored: rows.arcsAuthored,
        filer_category: reporting?.filerCategory,
        fiscal_year_end: reporting?.fiscalYearEnd,
        fiscal_quarter: reporting?.quarter,
      };
      // at once: renewing the registrant's filings looks here
      await insertRows(connection, { table: 'xbrl_filing', rows: [filing] });
      const documents = [
        ...files.map(({ part, name, sha256 }) => ({ part, file: name, sha256, status: 'at_hand' })),
        ...rows.defects.map(({ part, reason, state = 'absent' }) => ({
          part,
          status: state,
          defect: reason,
        })),
      ];
      hold('filing_document', rowBatches(documents.map((document) => ({ ...head, ...document }))));
      for (const [table, batches] of Object.entries(rows.batches)) hold(table, batches);
      if (characters > bufferCharacters) await flush();
      return rows.factCount;
    },
    flush,
  };
}

/** Several JSON arrays as one. */
function joined(texts: readonly string[]): string {
  return `[${texts.map((text) => text.slice(1, -1)).join(',')}]`;
}
