import type { DuckDBConnection } from '@duckdb/node-api';
import type { FilingFile } from '../../source/filingSources.ts';
import { type Columns, insertBatches, insertRows, rowBatches } from '../build/insertRows.ts';
import { filingTables, type RowBatches } from './filingRows.ts';

const filingColumns = {
  input: 'VARCHAR',
  cik: 'VARCHAR',
  accession: 'VARCHAR',
  fact_count: 'INTEGER',
  arc_count: 'INTEGER',
  arcs_authored: 'BOOLEAN',
};
const bufferedTables = {
  ...filingTables,
  filing_document: {
    input: 'VARCHAR',
    cik: 'VARCHAR',
    accession: 'VARCHAR',
    part: 'VARCHAR',
    file: 'VARCHAR',
    sha256: 'VARCHAR',
    status: 'VARCHAR',
    defect: 'VARCHAR',
  },
} as const satisfies Readonly<Record<string, Columns>>;
type BufferedTable = keyof typeof bufferedTables;

/** A statement costs more than the rows of a filing; this many characters of rows share one. */
const bufferCharacters = 4 * 1024 * 1024;

/** What was read of one filing and of which files. */
export type ReadFiling = {
  readonly input: string;
  readonly cik: string;
  readonly accession: string;
  readonly files: readonly Pick<FilingFile, 'part' | 'name' | 'sha256'>[];
  readonly rows: RowBatches;
};

export type FilingWriter = {
  /** Takes a filing; returns its number of facts. */
  write(filing: ReadFiling): Promise<number>;
  /** Inserts what is still held back; call it before anything reads the tables. */
  flush(): Promise<void>;
};

/** Inserts filings, the rows of several in one statement. */
export function filingWriter(connection: DuckDBConnection): FilingWriter {
  const held = new Map<BufferedTable, string[]>();
  let characters = 0;
  const hold = (table: BufferedTable, batches: Iterable<string>) => {
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
      const columns: Columns = bufferedTables[table];
      await insertBatches(connection, { table, columns, batches: [joined(texts)] });
    }
    held.clear();
    characters = 0;
  };
  return {
    async write({ input, cik, accession, files, rows }) {
      const head = [input, cik, accession] as const;
      // at once: renewing the registrant's filings looks here
      await insertRows(connection, {
        table: 'xbrl_filing',
        columns: filingColumns,
        rows: [[...head, rows.factCount, rows.arcCount, rows.arcsAuthored]],
      });
      const documents = [
        ...files.map((file) => [...head, file.part, file.name, file.sha256, 'at_hand', null]),
        ...rows.defects.map(({ part, reason, state }) => [
          ...head,
          part,
          null,
          null,
          state ?? 'absent',
          reason,
        ]),
      ];
      hold('filing_document', rowBatches(bufferedTables.filing_document, documents));
      hold('instance_fact', rows.batches.instance_fact);
      hold('calculation_arc', rows.batches.calculation_arc);
      hold('presentation_concept', rows.batches.presentation_concept);
      hold('link_role', rows.batches.link_role);
      hold('concept_declaration', rows.batches.concept_declaration);
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
