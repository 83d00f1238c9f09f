import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { filingFolders } from '../../source/filingFolders.ts';
import { submissionHeader } from '../../source/submissionHeader.ts';
import { type Cell, insertRows } from '../build/insertRows.ts';
import { type Loaded, loadInput, reading } from './inputFile.ts';

const inputPath = 'edgar/filings/';

export const folderTables = ['folder_filing'] as const;

/**
 * Loads which filings have a folder `<cik>/<accession without dashes>`, and what the SEC header of the filed text in
 * it says; a folder named otherwise is refused.
 */
export async function loadFilingFolders(connection: DuckDBConnection, root: string): Promise<Loaded> {
  const { folders, refused } = await reading(root, () => filingFolders(root));
  const rows: Cell[][] = [];
  for (const { cik, accession, path } of folders) {
    const header = await submissionHeader({ folder: path, accession });
    rows.push([
      inputPath,
      cik,
      accession,
      header?.form ?? null,
      header?.filed ?? null,
      header?.period ?? null,
      header?.acceptedAt ?? null,
    ]);
  }
  const hash = createHash('sha256').update(JSON.stringify([rows, refused]));
  return loadInput(connection, {
    name: inputPath,
    fingerprint: hash.digest('hex'),
    tables: folderTables,
    async read() {
      return { refused, insert: () => insertRows(connection, { table: 'folder_filing', rows }) };
    },
  });
}
