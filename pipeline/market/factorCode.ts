import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { programRoot } from '../programRoot.ts';
import { importClosure } from '../warehouse/build/importClosure.ts';

const entries = ['calculators/market/factors/factorRows.ts'];

/** SHA-256 over the sources that factor rows are computed with: rows kept from night to night are those of this code. */
export async function factorCode(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of await importClosure({ root: programRoot, entries })) {
    hash.update(`${name}\n`).update(await readFile(`${programRoot}/${name}`));
  }
  return hash.digest('hex');
}
