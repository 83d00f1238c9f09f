import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { filingFolders } from '../source/filingFolders.ts';
import { submissionHeader } from '../source/submissionHeader.ts';
import { type Loaded, loadInput, reading } from './inputFile.ts';
import { type Cell, insertRows } from './insertRows.ts';

const NAME = 'edgar/filings/';
const columns = {
  input: 'VARCHAR',
  cik: 'VARCHAR',
  accession: 'VARCHAR',
  form: 'VARCHAR',
  filed: 'DATE',
  period: 'DATE',
};

/**
 * Loads which filings have a folder `<cik>/<accession without dashes>`, and what the SEC header of the filed text in
 * it says; a folder named otherwise is refused.
 */
export async function loadFilingFolders(connection: DuckDBConnection, root: string): Promise<Loaded> {
  const { folders, refused } = await reading(root, () => filingFolders(root));
  const rows: Cell[][] = [];
  for (const { cik, accession, path } of folders) {
    const header = await submissionHeader({ folder: path, accession });
    rows.push([NAME, cik, accession, header?.form ?? null, header?.filed ?? null, header?.period ?? null]);
  }
  const hash = createHash('sha256').update(JSON.stringify([rows, refused]));
  return loadInput(connection, {
    name: NAME,
    fingerprint: hash.digest('hex'),
    tables: ['folder_filing'],
    async read() {
      return { refused, insert: () => insertRows(connection, { table: 'folder_filing', columns, rows }) };
    },
  });
}
