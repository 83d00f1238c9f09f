import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { filingFolders } from '../source/filingFolders.ts';
import { type Loaded, loadInput, reading } from './inputFile.ts';
import { insertRows } from './insertRows.ts';

const NAME = 'edgar/filings/';
const columns = { input: 'VARCHAR', cik: 'VARCHAR', accession: 'VARCHAR' };

/** Loads which filings have a folder `<cik>/<accession without dashes>`; a folder named otherwise is refused. */
export async function loadFilingFolders(connection: DuckDBConnection, root: string): Promise<Loaded> {
  const { folders, refused } = await reading(root, () => filingFolders(root));
  const rows = folders.map(({ cik, accession }) => [NAME, cik, accession]);
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
