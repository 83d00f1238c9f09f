import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { programRoot } from '../../programRoot.ts';
import { importClosure } from './importClosure.ts';

/** The modules an input's bytes pass on their way to rows start here: the list of inputs and the archive reader. */
const readers = ['pipeline/warehouse/inputs.ts', 'pipeline/ingest/ingestCompanyFacts.ts'];
/** What is said of a fault changes no row. */
const silent = /^data\/contract\/errors\//;

/**
 * SHA-256 over the sources that turn input files into rows. Rows of unchanged inputs are kept from night to night,
 * so a build made by other readers is not carried on: a corrected parser reaches every file.
 */
export async function readerVersion(root: string = programRoot): Promise<string> {
  const hash = createHash('sha256');
  for (const name of await importClosure({ root, entries: readers })) {
    if (!silent.test(name)) hash.update(`${name}\n`).update(await readFile(`${root}/${name}`));
  }
  return hash.digest('hex');
}
