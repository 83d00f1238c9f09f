import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Loaded, loadInput, type Refused, reading } from './inputFile.ts';
import { type Cell, insertRows } from './insertRows.ts';

const NAME = 'edgar/filings/';
const columns = { input: 'VARCHAR', cik: 'VARCHAR', accession: 'VARCHAR' };

/** Loads which filings have a folder `<cik>/<accession without dashes>`; a folder named otherwise is refused. */
export async function loadFilingFolders(connection: DuckDBConnection, root: string): Promise<Loaded> {
  const { rows, refused } = await listFilingFolders(root);
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

/** Reads the folder names below `edgar/filings`, in the order of table `folder_filing`. */
export async function listFilingFolders(root: string): Promise<{ rows: Cell[][]; refused: Refused[] }> {
  const rows: Cell[][] = [];
  const refused: Refused[] = [];
  for (const cik of await folders(root)) {
    if (!/^\d{1,10}$/.test(cik)) {
      refused.push({ name: `${NAME}${cik}`, reason: 'is not named for a CIK' });
      continue;
    }
    for (const name of await folders(join(root, cik))) {
      const digits = name.replaceAll('-', '');
      if (!/^\d{18}$/.test(digits)) {
        refused.push({ name: `${NAME}${cik}/${name}`, reason: 'is not named for an accession number' });
        continue;
      }
      const accession = `${digits.slice(0, 10)}-${digits.slice(10, 12)}-${digits.slice(12)}`;
      rows.push([NAME, cik.padStart(10, '0'), accession]);
    }
  }
  return { rows, refused };
}

async function folders(path: string): Promise<string[]> {
  const entries = await reading(path, () => readdir(path, { withFileTypes: true }));
  return entries
    .filter((e) => e.isDirectory())
    .map((e) => e.name)
    .sort();
}
