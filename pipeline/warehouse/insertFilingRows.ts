import type { DuckDBConnection } from '@duckdb/node-api';
import type { FilingFile } from '../source/filingsAtHand.ts';
import { type FilingRows, type FilingTable, filingTables } from './filingRows.ts';
import { type Cell, insertBatches, insertRows } from './insertRows.ts';

const filingColumns = {
  input: 'VARCHAR',
  cik: 'VARCHAR',
  accession: 'VARCHAR',
  fact_count: 'INTEGER',
  arc_count: 'INTEGER',
};
const documentColumns = {
  input: 'VARCHAR',
  cik: 'VARCHAR',
  accession: 'VARCHAR',
  part: 'VARCHAR',
  file: 'VARCHAR',
  sha256: 'VARCHAR',
  status: 'VARCHAR',
  defect: 'VARCHAR',
};
/** Inserts what was read of a filing and of which files; returns the number of facts. */
export async function insertFilingRows(
  connection: DuckDBConnection,
  o: {
    readonly input: string;
    readonly cik: string;
    readonly accession: string;
    readonly files: readonly Pick<FilingFile, 'part' | 'name' | 'sha256'>[];
    readonly rows: FilingRows;
  },
): Promise<number> {
  const { rows } = o;
  const head = [o.input, o.cik, o.accession] as const;
  const documents: Cell[][] = [
    ...o.files.map((file) => [...head, file.part, file.name, file.sha256, 'at_hand', null]),
    ...rows.defects.map(({ part, reason }) => [...head, part, null, null, 'defective', reason]),
  ];
  await insertRows(connection, {
    table: 'xbrl_filing',
    columns: filingColumns,
    rows: [[...head, rows.factCount, rows.arcCount]],
  });
  await insertRows(connection, { table: 'filing_document', columns: documentColumns, rows: documents });
  for (const [table, columns] of Object.entries(filingTables)) {
    await insertBatches(connection, { table, columns, batches: rows.batches[table as FilingTable] });
  }
  return rows.factCount;
}
